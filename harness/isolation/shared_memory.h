#pragma once
#include <sys/mman.h>

#include <new>

namespace revctl::harness {

/// An object in memory that this process shares with the children it starts from now on.
template <class T>
class SharedMemory {
 public:
  SharedMemory() {
    void* memory =
        ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) object_ = new (memory) T{};
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() {
    if (object_ != nullptr) ::munmap(object_, sizeof(T));
  }

  /// False where the system gives no such memory; then nothing else may be called.
  bool ok() const { return object_ != nullptr; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  /// As it was at first.
  void Reset() { new (object_) T{}; }

 private:
  T* object_ = nullptr;
};

}  // namespace revctl::harness
