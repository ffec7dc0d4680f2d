// Samples that no golden is made of: what automatic ones leave out, since a golden's values are
// there to be read.
#include <cstring>
#include <limits>
#include <utility>

#include "harness/samples/sample_filler.h"
#include "harness/samples/samples.h"
#include "harness/trace/progress.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

enum class Extreme {
  Many,   ///< more elements than any loop that was unrolled by hand, texts with a NUL, numbers that
          ///< are none
  Zeros,  ///< everything present that can be, and nothing in it: optional zeros, an empty key
};
constexpr std::size_t kMany = 9;

/// Containers within containers stay as small as they are.
class ExtremePolicy : public LeafPolicy {
 public:
  explicit ExtremePolicy(Extreme extreme) : extreme_(extreme) {}

  void Scalar(const TypeInfo& type, void* value, const LeafPlace& place) override {
    if (type.kind == Kind::Enum) return;  // zero may be none of its names
    if (extreme_ == Extreme::Zeros) {
      if (MayBeEmpty(place)) std::memset(value, 0, type.size);
    } else if (type.kind == Kind::F32 && !place.in_key) {
      const float none = std::numeric_limits<float>::quiet_NaN();
      std::memcpy(value, &none, sizeof none);
    } else if (type.kind == Kind::F64 && !place.in_key) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      std::memcpy(value, &none, sizeof none);
    }
  }
  void Bytes(const TypeInfo& type, std::string& bytes, const LeafPlace& place) override {
    if (type.kind != Kind::String) return;
    if (extreme_ == Extreme::Many) bytes.insert(bytes.empty() ? 0 : 1, 1, '\0');
    if (extreme_ == Extreme::Zeros && MayBeEmpty(place)) bytes.clear();
  }
  std::size_t Count(const TypeInfo& type, std::size_t filled, const LeafPlace& place) override {
    const bool grows =
        type.kind == Kind::Sequence || type.kind == Kind::Map || type.kind == Kind::Set;
    const bool may_be = type.kind == Kind::Optional || type.kind == Kind::Pointer;
    if (place.containers == 0 && extreme_ == Extreme::Many && grows) return kMany;
    if (place.containers == 0 && extreme_ == Extreme::Zeros && may_be) return 1;
    return filled;
  }
  void Bits(const TypeInfo& type, void* value, const LeafPlace&) override {
    std::memset(value, 0, type.size);
  }

 private:
  /// Of several keys one is empty; the others must differ.
  static bool MayBeEmpty(const LeafPlace& place) { return !place.in_key || place.in_first_key; }

  const Extreme extreme_;
};

Object FillExtreme(const TypeInfo& type, std::int64_t number, std::uint64_t seed, Extreme extreme,
                   LayoutNotes* notes) {
  ExtremePolicy policy(extreme);
  return std::move(FillObject(type, number, seed, policy, notes).object);
}

}  // namespace

std::vector<Sample> MakeExtremeSamples(const RootType& root, std::int64_t number,
                                       std::uint64_t seed) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  const std::uint64_t own = seed * 1000;  // of the form that leaves nothing empty
  for (const auto& [extreme, name] :
       {std::pair(Extreme::Many, "odd-many"), std::pair(Extreme::Zeros, "odd-zeros")}) {
    if (!Progress::Enter(root.name, std::string("automatic sample ") + name)) continue;
    const Object object = FillExtreme(type, number, own, extreme, nullptr);
    if (!TraceWrite(type, object.get(), number).ok) continue;  // a body may refuse extremes
    samples.push_back(
        {name, false, [&type, own, extreme = extreme](std::int64_t at, LayoutNotes* notes) {
           return FillExtreme(type, at, own, extreme, notes);
         }});
  }
  return samples;
}

}  // namespace revctl::harness
