// A ring of at most N values, with its own function for saving and loading.
#pragma once
#include "state_wrapper.h"

template <class T, u32 N>
class Fifo {
 public:
  static constexpr u32 kCapacity = N;
  u32 GetSize() const { return size_; }
  const T& Peek(u32 index) const { return values_[(head_ + index) % N]; }
  void Clear() { head_ = size_ = 0; }
  void Push(T value) {
    if (size_ < N) values_[(head_ + size_++) % N] = value;
  }
  T Pop() {
    const T value = values_[head_];
    head_ = (head_ + 1) % N;
    --size_;
    return value;
  }

  void DoState(StateWrapper& sw) {
    u32 size = size_;
    sw.Do(&size);
    if (sw.IsReading()) {
      Clear();
      if (size > N) return sw.SetError();
    }
    for (u32 i = 0; i < size; ++i) {
      T value = sw.IsReading() ? T() : Peek(i);
      sw.Do(&value);
      if (sw.IsReading()) Push(value);
    }
  }

 private:
  T values_[N] = {};
  u32 head_ = 0, size_ = 0;
};
