// GH005 for objects that are saved right after construction: checks that every saved byte comes
// from an initializer, not from the memory in which the object was constructed.
#include <fmt/core.h>
#include <algorithm>
#include <optional>

#include "harness/signals/signals.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"

namespace revctl::harness {
namespace {

/// A number, bool or enum saved directly from the object's memory.
struct SavedMember {
  std::string path;
  std::size_t offset = 0, size = 0;
};

bool IsScalar(Kind kind) { return kind <= Kind::Enum; }

/// Records the offset of each saved number in the object. Never reads the numbers, because a
/// bool or enum without an initializer may hold an invalid value.
class MemberFinder : public revctl::TraceWriter {
 public:
  MemberFinder(std::int64_t number, const void* object, std::size_t size)
      : TraceWriter(revctl::Revision(number)),
        begin_(reinterpret_cast<std::uintptr_t>(object)),
        size_(size) {
    CollectLeaves(false);
  }

  /// A WireAs member is saved from a converted copy, so use the address of the field instead of the
  /// address of the visited value.
  void Field(const FieldVisit& field) override {
    if (field.live && field.condition && IsScalar(field.type.kind))
      Add(field.value, field.type.size, Path() + "." + field.site.name);
    TraceWriter::Field(field);
  }
  void Scalar(const TypeInfo& type, void* value) override {
    Add(value, type.size, Path());
    TraceWriter::Scalar(type, value);
  }

  std::vector<SavedMember> members;
  /// true if the body also saves values outside the object's own memory, such as bit-fields and
  /// elements
  bool saves_other_memory = false;

 private:
  void Add(const void* value, std::size_t size, std::string path) {
    const auto at = reinterpret_cast<std::uintptr_t>(value);
    if (at < begin_ || at + size > begin_ + size_) {
      saves_other_memory = true;
      return;
    }
    const std::size_t offset = at - begin_;
    const bool known = std::any_of(members.begin(), members.end(), [&](const SavedMember& member) {
      return member.offset == offset && member.size == size;
    });
    if (!known) members.push_back({std::move(path), offset, size});
  }

  std::uintptr_t begin_;
  std::size_t size_;
};

/// Patterns for filling the object's memory. The first two differ in every bit. The third one
/// prevents a counter or an address in the object from being mistaken for uninitialized memory.
constexpr unsigned char kPatterns[] = {0x00, 0xFF, 0x5A};

using Make = Object (*)(const TypeInfo&, unsigned char);
Object MakeBare(const TypeInfo& type, unsigned char garbage) { return Object::Bare(type, garbage); }
Object MakeEmpty(const TypeInfo& type, unsigned char garbage) { return Object(type, garbage); }

/// Returns, for each byte of the object, whether it still has the value that its memory had before
/// construction.
std::vector<bool> UntouchedBytes(const TypeInfo& type, Make make) {
  std::vector<bool> untouched(type.size, true);
  std::vector<Object> objects;
  for (const unsigned char pattern : kPatterns) objects.push_back(make(type, pattern));
  for (std::size_t byte = 0; byte < type.size; ++byte) {
    for (std::size_t i = 0; i < std::size(kPatterns); ++i) {
      if (static_cast<const unsigned char*>(objects[i].get())[byte] != kPatterns[i])
        untouched[byte] = false;
    }
  }
  // Clear the patterns before the destructors run, because a destructor may free the memory to
  // which a member points, and there is no memory at 0xFF....
  for (const Object& object : objects) {
    for (std::size_t byte = 0; byte < type.size; ++byte)
      if (untouched[byte]) static_cast<unsigned char*>(object.get())[byte] = 0;
  }
  return untouched;
}

/// Returns the saved bytes of a new object that was constructed after its memory, the heap and the
/// stack were filled with `garbage`.
std::optional<std::vector<std::byte>> Saved(const TypeInfo& type, Make make, unsigned char garbage,
                                            std::int64_t number) {
  DirtyHeap(garbage);
  DirtyStack(garbage);
  const Object object = make(type, garbage);
  return TracedBytes(type, object.get(), number);
}

/// Returns the places of members that are saved but never initialized (`slots[].used`), in the
/// order in which the body visits them.
std::vector<std::string> LeftToMemory(const TypeInfo& type, std::int64_t number, Make make) {
  const Object empty(type);
  MemberFinder finder(number, empty.get(), type.size);
  finder.VisitRoot(type, empty.get());
  const std::vector<bool> untouched = UntouchedBytes(type, make);
  std::vector<std::string> places;
  const auto add = [&](const std::string& path) {
    std::string place = PlaceOf(path);
    if (std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(std::move(place));
  };
  for (const SavedMember& member : finder.members) {
    const auto begin = untouched.begin() + static_cast<std::ptrdiff_t>(member.offset);
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(member.size),
                    [](bool left) { return left; }))
      add(BelowRoot(member.path, type));
  }
  if (!places.empty() || !finder.saves_other_memory) return places;
  const auto first = Saved(type, make, kPatterns[0], number);
  if (!first || Saved(type, make, kPatterns[0], number) != first) return places;
  const auto second = Saved(type, make, kPatterns[1], number);
  if (!second || second == first) return places;
  const auto leaves = [&](const std::vector<std::byte>& bytes) {
    const Object object(type);
    return TraceRead(type, bytes, number, object.get()).leaves;
  };
  for (const golden::Change& change : golden::Compare(leaves(*first), leaves(*second)))
    add(change.path);
  return places;
}

void AddLeft(CheckContext& context, const RootType& root, const TypeInfo& type,
             const std::string& name, const std::vector<std::string>& places, Severity severity,
             const std::string& made) {
  if (places.empty()) return;
  const Revision& latest = context.history.latest();
  constexpr std::size_t kNamed = 3;
  std::string others;
  for (std::size_t i = 1; i < places.size() && i <= kNamed; ++i)
    others += (i == 1 ? "" : ", ") + places[i];
  if (places.size() > kNamed + 1) others += fmt::format(" and {} more", places.size() - kNamed - 1);
  const Object object(type);
  const Traced traced = TraceWrite(type, object.get(), latest.number, Leaves::Untold);
  Finding finding{
      .rule = RuleId::Stability,
      .severity = severity,
      .message = fmt::format("{}.{} is never initialized, so {} saves whatever was in its memory",
                             name, places[0], made),
      .revision = latest.name,
      .fix = "initialize it where it is declared",
      .type = name,
      .field = places[0],
      .signal = "stability",
      .details = others.empty() ? "" : "also affected: " + others};
  RootType place = root;  // tells PointAt in which type to look for the field
  place.name = name;
  context.PointAt(place, traced.notes, latest.number, finding);
  context.verdicts.Add(std::move(finding), "no initializer");
}

}  // namespace

void CheckFresh(CheckContext& context, TypeRun& run) {
  const RootType& root = run.root();
  const std::int64_t latest = context.history.latest().number;
  if (root.type().kind != Kind::Record) return;
  if (!Progress::Enter(root.name, "fresh object")) return;
  // A finding about a golden has already reported the cause if it names this member, or if it names
  // the same member in an element.
  const auto is_reported = [&](const std::string& place, bool of_element) {
    return std::any_of(
        context.left_to_memory.begin(), context.left_to_memory.end(), [&](const auto& known) {
          return known.first == root.name &&
                 (known.second == place || (of_element && known.second.ends_with("." + place)));
        });
  };
  const auto left = [&](const TypeInfo& type, Make make, bool of_element) {
    std::vector<std::string> places = LeftToMemory(type, latest, make);
    std::erase_if(places, [&](const std::string& place) { return is_reported(place, of_element); });
    return places;
  };
  std::vector<std::string> of_root;
  if (CanMakeBare(root.type())) {
    of_root = left(root.type(), MakeBare, false);
    AddLeft(context, root, root.type(), root.name, of_root, Severity::Error, "a fresh object");
  }
  const auto records = run.At(latest, {}).records;
  for (const auto& [name, type] : records) {
    if (type == &root.type() || !CanMake(*type) || !CanMakeBare(*type)) continue;
    if (!Progress::Enter(root.name, "fresh " + name)) continue;
    std::vector<std::string> places = left(*type, MakeEmpty, true);
    const Severity severity = places.empty() ? Severity::Warning : Severity::Error;
    if (places.empty()) places = left(*type, MakeBare, true);
    // Skip members that were already reported for the root object.
    std::erase_if(places, [&](const std::string& place) {
      return std::any_of(of_root.begin(), of_root.end(),
                         [&](const std::string& known) { return known.ends_with("." + place); });
    });
    AddLeft(context, root, *type, name, places, severity, "a fresh " + RootName(*type));
  }
}

}  // namespace revctl::harness
