#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace revctl::detail {

/// Extra cleanup steps that run if a load rejects its file, after the values are destroyed. For
/// example, a ring of objects that own each other needs such a step, because nothing else would
/// destroy the ring. Loads are tracked per thread and may be nested.
class RefusedLoad {
 public:
  RefusedLoad() : outer_(std::exchange(Slot(), this)) {}
  ~RefusedLoad() {
    Slot() = outer_;
    if (accepted_) {
      if (outer_ == nullptr) return;
      for (auto& step : steps_) outer_->steps_.push_back(std::move(step));
    } else {
      for (const auto& step : steps_) step();
    }
  }
  RefusedLoad(const RefusedLoad&) = delete;
  RefusedLoad& operator=(const RefusedLoad&) = delete;

  void Accepted() { accepted_ = true; }

  /// Returns this thread's innermost load, or null if an archive is used directly. In that case,
  /// the archive's caller owns all partly read objects.
  static RefusedLoad* Current() { return Slot(); }
  /// Adds a step that runs after all values of the load are destroyed, unless the load succeeds.
  void Then(std::function<void()> step) { steps_.push_back(std::move(step)); }

 private:
  static RefusedLoad*& Slot() {
    static thread_local RefusedLoad* current = nullptr;
    return current;
  }
  RefusedLoad* outer_;
  bool accepted_ = false;
  std::vector<std::function<void()>> steps_;
};

}  // namespace revctl::detail
