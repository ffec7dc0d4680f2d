#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <revctl/plain/convert.h>
#include <revctl/plain/hop.h>
#include <revctl/plain/layout.h>

// From today's struct back to the layout of an old revision: what older builds are written, and
// what a field that begins at an old revision begins with.
namespace revctl::detail {

/// Storage for one object at its alignment.
class PlainStorage {
 public:
  PlainStorage(std::size_t size, std::size_t align)
      : align_(align),
        at_(static_cast<std::byte*>(::operator new (size, std::align_val_t{align}))) {
    std::memset(at_, 0, size);
  }
  PlainStorage(const PlainStorage&) = delete;
  PlainStorage& operator=(const PlainStorage&) = delete;
  ~PlainStorage() { ::operator delete (at_, std::align_val_t{align_}); }
  std::byte* at() { return at_; }

 private:
  std::size_t align_;
  std::byte* at_;
};

/// The bytes of a fresh `T{}`, in today's layout.
inline std::unique_ptr<PlainStorage> FreshPlain(const PlainTable& table) {
  auto storage = std::make_unique<PlainStorage>(table.size, table.align);
  table.runtime().fresh(storage->at());
  return storage;
}

void PlainDowngrade(PlainLayouts& layouts, const PlainTable& table, const std::byte* today,
                    const PlainLayout& old, std::byte* image);

/// A field of today at an old revision. The array is the same; a nested record may have had another
/// layout.
inline void PlainDowngradeField(PlainLayouts& layouts, const PlainField& field,
                                const std::byte* today, const PlainPlace& place, std::byte* image) {
  if (!field.shape.Record()) {
    std::memcpy(image, today, place.stride * field.shape.count);
    return;
  }
  for (std::size_t i = 0; i < field.shape.count; ++i) {
    PlainDowngrade(layouts, *field.shape.nested, today + i * field.shape.nested->size,
                   *place.nested, image + i * place.stride);
  }
}

/// A dead field: what DEAD_WITH says; else, as far as it converts, the field that continued it;
/// else zero, and for a record a fresh one.
inline void PlainDowngradeDead(PlainLayouts& layouts, const PlainTable& table,
                               const std::byte* today, const PlainPlace& place, std::byte* image) {
  const PlainField& field = table.fields[place.field];
  const PlainRuntime& runtime = table.runtime();
  if (runtime.dead_defaults[place.field] != nullptr) {
    runtime.dead_defaults[place.field](image);
    return;
  }
  if (field.shape.Record()) {
    const auto fresh = FreshPlain(*field.shape.nested);
    for (std::size_t i = 0; i < field.shape.count; ++i) {
      PlainDowngrade(layouts, *field.shape.nested, fresh->at(), *place.nested,
                     image + i * place.stride);
    }
  }
  if (place.successor < 0) return;
  const PlainField& next = table.fields[place.successor];
  if (!next.Lives() || next.shape.rank != field.shape.rank ||
      next.shape.nested != field.shape.nested)
    return;
  const std::byte* source = today + runtime.offsets[place.successor];
  std::string ignored;
  ForEachPlainCommon(next.shape, field.shape, [&](std::size_t from, std::size_t to) {
    if (field.shape.Record()) {
      PlainDowngrade(layouts, *field.shape.nested, source + from * field.shape.nested->size,
                     *place.nested, image + to * place.stride);
    } else {
      PlainConvertLeaf(next.shape, source + from * next.shape.unit, field.shape,
                       image + to * place.stride, ignored);
    }
    return true;
  });
}

/// Writes `today`, a struct in memory, in layout `old`. `image` has `old.size` bytes, all zero:
/// padding stays so.
inline void PlainDowngrade(PlainLayouts& layouts, const PlainTable& table, const std::byte* today,
                           const PlainLayout& old, std::byte* image) {
  for (const PlainPlace& place : old.places) {
    const PlainField& field = old.FieldOf(place);
    if (field.Lives()) {
      PlainDowngradeField(layouts, field, today + table.runtime().offsets[place.field], place,
                          image + place.offset);
    } else {
      PlainDowngradeDead(layouts, table, today, place, image + place.offset);
    }
  }
}

/// What a new record is at an old revision: a fresh `T{}` in layout `old`.
inline std::vector<std::byte> PlainDefaultImage(PlainLayouts& layouts, const PlainLayout& old) {
  std::vector<std::byte> image(old.size);
  const auto fresh = FreshPlain(*old.table);
  PlainDowngrade(layouts, *old.table, fresh->at(), old, image.data());
  return image;
}

}  // namespace revctl::detail

// One hop, from the layout just before a revision to the layout at it. Which bytes go where is
// worked out once for each pair of layouts (a plan); running it over the elements of an array then
// costs a few copies each.
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
  std::int64_t number;  ///< the revision hopped into
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
      plan.steps.push_back({PlainStep::What::Records, old.offset, place.offset, 0, &field, &field,
                            old.stride, place.stride, &Into(*field.shape.nested, plan.number)});
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
      plan.steps.push_back(
          {PlainStep::What::Default, place.offset, place.offset, place.stride * field.shape.count});
    }
    if (!converts) return;
    PlainStep step{PlainStep::What::Convert, old->offset, place.offset, 0,
                   &table.fields[ended],     &field,      old->stride,  place.stride};
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
      if (last.what == PlainStep::What::Copy && dst - last.dst == src - last.src &&
          src > last.src) {
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
inline bool RunPlainPlan(const PlainPlan& plan, const std::byte* before, std::byte* after,
                         PlainTrouble& trouble) {
  for (const PlainStep& step : plan.steps) {
    switch (step.what) {
      case PlainStep::What::Copy:
        std::memcpy(after + step.dst, before + step.src, step.size);
        break;
      case PlainStep::What::Default:
        std::memcpy(after + step.dst, plan.defaults.data() + step.src, step.size);
        break;
      case PlainStep::What::Convert:
      case PlainStep::What::Records: {
        std::string reason;
        const bool fine = ForEachPlainCommon(
            step.from->shape, step.to->shape, [&](std::size_t from, std::size_t to) {
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

/// All that it takes to read and write a type at one old revision, worked out once: layouts, plans,
/// buffers. Memory: the struct in its two largest neighbouring layouts, and a default image for
/// each record type that gains a field.
class PlainPast {
 public:
  PlainPast(const PlainTable& table, std::int64_t revision)
      : table_(table),
        revision_(revision),
        layout_(layouts_.At(table, revision)),
        plans_(layouts_) {}
  PlainPast(const PlainPast&) = delete;
  PlainPast& operator=(const PlainPast&) = delete;

  std::int64_t revision() const { return revision_; }
  const PlainLayout& layout() const { return layout_; }

  /// Turns an image of that revision, already checked, into today's: hop by hop, through two
  /// buffers. Null on trouble. The outcome is valid until the next call (or is `image` itself,
  /// where nothing has changed).
  const std::byte* Upgrade(const std::byte* image, PlainTrouble& trouble) {
    if (!planned_) Plan();
    for (std::size_t i = 0; i < hops_.size(); ++i) {
      std::vector<std::byte>& after = buffers_[i % 2];
      after.assign(hops_[i]->after->size, std::byte{0});
      if (!RunPlainPlan(*hops_[i], image, after.data(), trouble)) return nullptr;
      image = after.data();
    }
    return image;
  }

  /// Writes a struct in memory as that revision had it. `image` has `layout().size` bytes, all
  /// zero.
  void Downgrade(const std::byte* today, std::byte* image) {
    PlainDowngrade(layouts_, table_, today, layout_, image);
  }
  /// A fresh `T{}` as that revision had it.
  std::vector<std::byte> Fresh() { return PlainDefaultImage(layouts_, layout_); }

 private:
  void Plan() {
    std::vector<std::int64_t> numbers;
    ForEachPlainBreak(table_, [&](std::int64_t number) {
      if (number > revision_) numbers.push_back(number);
    });
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const std::int64_t number : numbers) hops_.push_back(&plans_.Into(table_, number));
    planned_ = true;
  }

  const PlainTable& table_;
  std::int64_t revision_;
  PlainLayouts layouts_;
  const PlainLayout& layout_;
  PlainPlans plans_;
  bool planned_ = false;
  std::vector<const PlainPlan*> hops_;
  std::vector<std::byte> buffers_[2];
};

/// Lends the past of `T` at a revision. That of small structs is kept for the next time (one for
/// each type and thread), since a vector of them asks for each element. While lent it belongs to
/// the borrower alone: handlers may read a `T` themselves.
template <PlainType T>
class PlainPastOf {
 public:
  explicit PlainPastOf(std::int64_t revision) {
    if (kKept) past_ = std::move(Slot());
    if (past_ == nullptr || past_->revision() != revision)
      past_ = std::make_unique<PlainPast>(plain_table<T>, revision);
  }
  ~PlainPastOf() {
    if (kKept) Slot() = std::move(past_);
  }
  PlainPastOf(const PlainPastOf&) = delete;
  PlainPastOf& operator=(const PlainPastOf&) = delete;
  PlainPast* operator->() const { return past_.get(); }
  PlainPast& operator*() const { return *past_; }

 private:
  static constexpr bool kKept = sizeof(T) <= 4096;
  static std::unique_ptr<PlainPast>& Slot() {
    static thread_local std::unique_ptr<PlainPast> slot;
    return slot;
  }
  std::unique_ptr<PlainPast> past_;
};

}  // namespace revctl::detail
