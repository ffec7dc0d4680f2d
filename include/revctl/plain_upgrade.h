#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "revctl/plain_convert.h"
#include "revctl/plain_downgrade.h"
#include "revctl/plain_hop.h"
#include "revctl/plain_layout.h"

// One hop, from the layout just before a revision to the layout at it. Which bytes go where is worked out once for each
// pair of layouts (a plan); running it over the elements of an array then costs a few copies each.
namespace revctl::detail {

struct PlainPlan;

/// One step of a plan. Offsets count from the start of the record.
struct PlainStep {
  enum class What : std::uint8_t {
    Copy,     ///< `size` bytes from `src`
    Default,  ///< `size` bytes from the same place in the plan's default image
    Convert,  ///< the leaves that dead field `from` and field `to` have in common, number by number
    Records,  ///< records of `plan`, each from its old to its new layout
  } what;
  std::size_t src = 0, dst = 0, size = 0;
  const PlainField* from = nullptr;
  const PlainField* to = nullptr;
  std::size_t src_stride = 0, dst_stride = 0;
  const PlainPlan* plan = nullptr;
};

struct PlainPlan {
  const PlainLayout* before;
  const PlainLayout* after;
  std::int64_t number;            ///< the revision hopped into
  std::vector<PlainStep> steps;
  std::vector<std::byte> defaults;  ///< image of a fresh record, where a step needs it
  const PlainHop* hop = nullptr;
};

/// Plans of one upgrade, each built when first needed.
class PlainPlans {
 public:
  explicit PlainPlans(PlainLayouts& layouts) : layouts_(layouts) {}

  const PlainPlan& Into(const PlainTable& table, std::int64_t number) {
    const PlainLayout& before = layouts_.At(table, number - 1);
    const PlainLayout& after = layouts_.At(table, number);
    for (const auto& known : all_) {
      if (known->before == &before && known->after == &after) return *known;
    }
    auto plan = std::make_unique<PlainPlan>();
    plan->before = &before;
    plan->after = &after;
    plan->number = number;
    for (const PlainPlace& place : after.places) {
      const PlainPlace* old = before.Find(place.field);
      if (old != nullptr) {
        Keep(*plan, *old, place);
      } else {
        Begin(*plan, place);
      }
    }
    const PlainRuntime& runtime = table.runtime();
    for (int i = 0; i < runtime.hop_count; ++i) {
      if (runtime.hops[i].number == number) plan->hop = &runtime.hops[i];
    }
    all_.push_back(std::move(plan));
    return *all_.back();
  }

 private:
  /// A field live on both sides of the hop.
  void Keep(PlainPlan& plan, const PlainPlace& old, const PlainPlace& place) {
    const PlainField& field = plan.after->FieldOf(place);
    if (old.nested == place.nested) {
      Copy(plan, old.offset, place.offset, place.stride * field.shape.count);
    } else {
      plan.steps.push_back({PlainStep::What::Records, old.offset, place.offset, 0, &field, &field, old.stride,
                            place.stride, &Into(*field.shape.nested, plan.number)});
    }
  }

  /// A field that begins here: from the dead field that it continues, else at its default.
  void Begin(PlainPlan& plan, const PlainPlace& place) {
    const PlainTable& table = *plan.after->table;
    const PlainField& field = table.fields[place.field];
    const int ended = PlainPredecessor(table, place.field);
    const PlainPlace* old = ended < 0 ? nullptr : plan.before->Find(ended);
    const bool converts = old != nullptr && PlainReadyMade(table.fields[ended].shape, field.shape);
    if (!converts || table.fields[ended].shape.extents != field.shape.extents) {
      if (plan.defaults.empty()) plan.defaults = PlainDefaultImage(layouts_, *plan.after);
      plan.steps.push_back({PlainStep::What::Default, place.offset, place.offset, place.stride * field.shape.count});
    }
    if (!converts) return;
    PlainStep step{PlainStep::What::Convert, old->offset, place.offset, 0, &table.fields[ended], &field, old->stride,
                   place.stride};
    if (field.shape.Record()) {
      step.what = PlainStep::What::Records;
      if (old->nested != place.nested) step.plan = &Into(*field.shape.nested, plan.number);
    }
    plan.steps.push_back(step);
  }

  /// Neighbours on both sides become one copy, padding between them included.
  static void Copy(PlainPlan& plan, std::size_t src, std::size_t dst, std::size_t size) {
    if (!plan.steps.empty()) {
      PlainStep& last = plan.steps.back();
      if (last.what == PlainStep::What::Copy && dst - last.dst == src - last.src && src > last.src) {
        last.size = src + size - last.src;
        return;
      }
    }
    plan.steps.push_back({PlainStep::What::Copy, src, dst, size});
  }

  PlainLayouts& layouts_;
  std::vector<std::unique_ptr<PlainPlan>> all_;
};

/// Runs a plan on one record. `after` has the plan's new size and is all zero where no field is.
inline bool RunPlainPlan(const PlainPlan& plan, const std::byte* before, std::byte* after, PlainTrouble& trouble) {
  for (const PlainStep& step : plan.steps) {
    switch (step.what) {
      case PlainStep::What::Copy: std::memcpy(after + step.dst, before + step.src, step.size); break;
      case PlainStep::What::Default: std::memcpy(after + step.dst, plan.defaults.data() + step.src, step.size); break;
      case PlainStep::What::Convert:
      case PlainStep::What::Records: {
        std::string reason;
        const bool fine =
            ForEachPlainCommon(step.from->shape, step.to->shape, [&](std::size_t from, std::size_t to) {
              const std::byte* src = before + step.src + from * step.src_stride;
              std::byte* dst = after + step.dst + to * step.dst_stride;
              if (step.what == PlainStep::What::Records) {
                if (step.plan == nullptr) {
                  std::memcpy(dst, src, step.dst_stride);
                } else if (!RunPlainPlan(*step.plan, src, dst, trouble)) {
                  return trouble.Within(step.to->name + PlainIndexText(step.to->shape, to));
                }
                return true;
              }
              if (PlainConvertLeaf(step.from->shape, src, step.to->shape, dst, reason)) return true;
              trouble.Fail(Status::Kind::Corrupt, PlainTrouble::kNowhere,
                           reason + " in the upgrade to revision " + std::to_string(plan.number));
              return trouble.Within(step.to->name + PlainIndexText(step.to->shape, to));
            });
        if (!fine) return false;
        break;
      }
    }
  }
  if (plan.hop != nullptr) {
    plan.hop->run(before, after, trouble);
    if (trouble.Any()) return false;
  }
  return true;
}

/// Turns the image of a record at `revision`, already checked, into today's: hop by hop, through two buffers. Memory: the
/// two largest neighbouring layouts, and a default image for each record type that gains a field. `image` must outlive the
/// call; the outcome is in `today`, unless there was nothing to do (true, and `today` empty).
inline bool UpgradePlain(PlainLayouts& layouts, const PlainTable& table, std::int64_t revision, const std::byte* image,
                         std::vector<std::byte>& today, PlainTrouble& trouble) {
  std::vector<std::int64_t> hops;
  ForEachPlainBreak(table, [&](std::int64_t number) {
    if (number > revision) hops.push_back(number);
  });
  std::sort(hops.begin(), hops.end());
  hops.erase(std::unique(hops.begin(), hops.end()), hops.end());
  PlainPlans plans(layouts);
  std::vector<std::byte> before;
  for (const std::int64_t number : hops) {
    const PlainPlan& plan = plans.Into(table, number);
    before.swap(today);
    today.assign(plan.after->size, std::byte{0});
    if (!RunPlainPlan(plan, before.empty() ? image : before.data(), today.data(), trouble)) return false;
  }
  return true;
}

}  // namespace revctl::detail
