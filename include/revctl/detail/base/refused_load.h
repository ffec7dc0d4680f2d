#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace revctl::detail {

/// While a file is being loaded: what must be done if it turns out to be refused, beyond destroying
/// what was read so far. Objects that share each other in a ring need that: they outlive everybody
/// who knows them. Loads may lie within one another; one for each thread.
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

  /// Null where bytes are read by an archive alone: what it leaves half read is its caller's.
  static RefusedLoad* Current() { return Slot(); }
  /// To be done once everything that was read is gone.
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
