// Samples that no golden is made of: what automatic ones leave out, since a golden's values are
// there to be read.
#include <cstring>
#include <limits>

#include "harness/samples/noting_filler.h"
#include "harness/samples/samples.h"
#include "harness/trace/progress.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::Kind;
using revctl::TypeInfo;

enum class Odd {
  Many,   ///< more elements than any loop that was unrolled by hand, texts with a NUL, numbers that
          ///< are none
  Zeros,  ///< everything present that can be, and nothing in it: optional zeros, an empty key
};
constexpr std::size_t kMany = 9;

/// lib's filler, which gives way to what is odd. Containers within containers stay as small as they
/// are.
class OddFiller : public NotingFiller {
 public:
  OddFiller(std::int64_t number, std::uint64_t seed, Odd odd, LayoutNotes* notes)
      : NotingFiller(number, seed, notes), odd_(odd) {}

  void Field(const revctl::FieldVisit& field) override {
    NotingFiller::Field(field);
    // How many bits it has nothing here knows.
    if (field.site.form == revctl::Form::Bits && field.live)
      std::memset(field.value, 0, field.type.size);
  }
  void Scalar(const TypeInfo& type, void* value) override {
    Filler::Scalar(type, value);
    if (type.kind == Kind::Enum) return;  // zero may be none of its names
    if (odd_ == Odd::Zeros) {
      // Of several keys one is empty; the others must differ.
      if (keys_ == 0 || first_key_) std::memset(value, 0, type.size);
    } else if (type.kind == Kind::F32 && keys_ == 0) {
      const float none = std::numeric_limits<float>::quiet_NaN();
      std::memcpy(value, &none, sizeof none);
    } else if (type.kind == Kind::F64 && keys_ == 0) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      std::memcpy(value, &none, sizeof none);
    }
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    Filler::Bytes(type, bytes);
    if (type.kind != Kind::String) return;
    if (odd_ == Odd::Many) bytes.insert(bytes.empty() ? 0 : 1, 1, '\0');
    if (odd_ == Odd::Zeros && (keys_ == 0 || first_key_)) bytes.clear();
  }
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    const std::size_t filled = Filler::BeginContainer(type, count);
    const bool outer = kinds_.empty();
    kinds_.push_back(type.kind);
    const bool grows =
        type.kind == Kind::Sequence || type.kind == Kind::Map || type.kind == Kind::Set;
    const bool may_be = type.kind == Kind::Optional || type.kind == Kind::Pointer;
    if (outer && odd_ == Odd::Many && grows) return kMany;
    if (outer && odd_ == Odd::Zeros && may_be) return 1;
    return filled;
  }
  void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) override {
    Filler::BeginElement(element, index, is_key);
    const bool key = is_key || kinds_.back() == Kind::Set;
    is_key_.push_back(key);
    keys_ += key;
    if (key && keys_ == 1) first_key_ = index == 0;
  }
  void EndElement() override {
    keys_ -= is_key_.back();
    is_key_.pop_back();
    Filler::EndElement();
  }
  void EndContainer(const TypeInfo& type) override {
    kinds_.pop_back();
    Filler::EndContainer(type);
  }

 private:
  const Odd odd_;
  std::vector<Kind> kinds_;
  std::size_t keys_ = 0;
  std::vector<bool> is_key_;
  bool first_key_ = false;
};

Object Fill(const TypeInfo& type, std::int64_t number, std::uint64_t seed, Odd odd,
            LayoutNotes* notes) {
  Object object(type);
  OddFiller filler(number, seed, odd, notes);
  filler.VisitRoot(type, object.get());
  return object;
}

}  // namespace

std::vector<Sample> MakeExtremeSamples(const RootType& root, std::int64_t number,
                                       std::uint64_t seed) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  const std::uint64_t own = seed * 1000;  // of the form that leaves nothing empty
  for (const auto& [odd, name] :
       {std::pair(Odd::Many, "odd-many"), std::pair(Odd::Zeros, "odd-zeros")}) {
    if (!Progress::Enter(root.name, std::string("automatic sample ") + name)) continue;
    const Object object = Fill(type, number, own, odd, nullptr);
    if (!TraceWrite(type, object.get(), number).ok) continue;  // bodies may refuse what nobody has
    samples.push_back({name, false, [&type, own, odd = odd](std::int64_t at, LayoutNotes* notes) {
                         return Fill(type, at, own, odd, notes);
                       }});
  }
  return samples;
}

}  // namespace revctl::harness
