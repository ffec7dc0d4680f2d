#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace revctl::detail {

/// Cleanup steps for a load whose file turns out to be rejected, in addition to destroying the
/// values. Objects that own each other in a ring need such a step, because they outlive every
/// reference from outside. Loads belong to the thread that runs them and may be nested.
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

  /// Returns the innermost load of this thread, or null if an archive is used directly. In that
  /// case the archive's caller owns everything that was partly read.
  static RefusedLoad* Current() { return Slot(); }
  /// Adds a step to run after all values of the load are destroyed, unless the load is accepted.
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
