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

// Converts the current struct to the layout of an old revision, to write files for older builds and
// to get initial values for fields that begin at an old revision.
namespace revctl::detail {

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

inline std::unique_ptr<PlainStorage> FreshPlain(const PlainTable& table) {
  auto storage = std::make_unique<PlainStorage>(table.size, table.align);
  table.runtime().fresh(storage->at());
  return storage;
}

void PlainDowngrade(PlainLayouts& layouts, const PlainTable& table, const std::byte* today,
                    const PlainLayout& old, std::byte* image);

/// Converts a live field to an old revision. Only nested records can have a different layout at
/// that revision.
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

/// Fills a dead field with its DEAD_WITH value or, if it has none, with the converted value of the
/// field that continues it. If there is no such field or the conversion fails, uses zeros, or a
/// fresh object for a record.
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

/// Writes `today`, the current struct in memory, to `image` in layout `old`. `image` must consist
/// of `old.size` zero bytes, and its padding stays zero.
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

/// Returns a default-constructed struct in layout `old`, from which new fields get their initial
/// values.
inline std::vector<std::byte> PlainDefaultImage(PlainLayouts& layouts, const PlainLayout& old) {
  std::vector<std::byte> image(old.size);
  const auto fresh = FreshPlain(*old.table);
  PlainDowngrade(layouts, *old.table, fresh->at(), old, image.data());
  return image;
}

}  // namespace revctl::detail

// A hop converts a struct from the layout just before a revision to the layout at that revision. A
// plan lists the bytes to move. The plan for a pair of layouts is computed only once, so converting
// each element of an array costs only a few copies.
namespace revctl::detail {

struct PlainPlan;

/// A step of a plan. Offsets are relative to the start of the record.
struct PlainStep {
  enum class What : std::uint8_t {
    Copy,     ///< `size` bytes from `src`
    Default,  ///< `size` bytes from the same place in the plan's default image
    Convert,  ///< the leaves that a dead field and its successor have in common, one by one
    Records,  ///< records, each converted by `plan`, or copied if `plan` is null
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
  std::int64_t number;  ///< the revision after the hop
  std::vector<PlainStep> steps;
  std::vector<std::byte> defaults;  ///< image of a fresh record; empty unless a step needs it
  const PlainHop* hop = nullptr;
};

/// Computes the plans of one upgrade on first use.
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
  void Keep(PlainPlan& plan, const PlainPlace& old, const PlainPlace& place) {
    const PlainField& field = plan.after->FieldOf(place);
    if (old.nested == place.nested) {
      Copy(plan, old.offset, place.offset, place.stride * field.shape.count);
    } else {
      plan.steps.push_back({PlainStep::What::Records, old.offset, place.offset, 0, &field, &field,
                            old.stride, place.stride, &Into(*field.shape.nested, plan.number)});
    }
  }

  /// Adds a step for a field that begins at this hop. The field's value comes from the dead field
  /// that it replaces or, if there is none, from its default.
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

  /// Adds a copy step, or extends the last one if the fields are adjacent. The padding between such
  /// fields is copied, too.
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

/// Runs a plan on one record. `after` must have the size of the plan's new layout and contain only
/// zeros.
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

/// Layouts, plans and buffers for reading and writing a type at one old revision. Memory use is
/// bounded by the struct's two largest consecutive layouts plus one default image for each record
/// type that gains a field.
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

  /// Upgrades `image` from the old revision to the current layout, hop by hop, alternating between
  /// two buffers. The caller must check `image` first. Returns null on error. The result is valid
  /// until the next call; if no hop is needed, it is `image` itself.
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

  /// Writes the current struct to `image` in the layout of the old revision. `image` must consist
  /// of `layout().size` zero bytes.
  void Downgrade(const std::byte* today, std::byte* image) {
    PlainDowngrade(layouts_, table_, today, layout_, image);
  }
  /// Returns a default-constructed struct in the layout of the old revision.
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

/// Borrows the PlainPast of `T` at a revision. For small structs, each thread keeps one PlainPast
/// per type, because reading a vector needs it for each element. No other borrower can use it
/// meanwhile, so a HOP handler may itself read a `T`.
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
