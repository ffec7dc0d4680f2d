#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/objects/stream.h>

// Lets non-binary archives visit an object stream: the same data as in the binary format, but field
// by field. A record appears as one conditional field per possible class, and only the field for
// the record's own class is visited.

namespace revctl {
namespace detail {

/// Placeholders for all records of the current stream and for a single record. Both are empty,
/// because the data is in ObjectVisit::Current().
struct ObjectRecords {};
struct ObjectRecord {};

template <class Roots>
inline constexpr bool kVisitsWhole<ObjectStream<Roots>> = true;

template <>
struct Shape<ObjectRecords> : KnownShape {
  static constexpr Kind kind = Kind::Sequence;
  using Element = ObjectRecord;
};
/// An object's memory is charged when the object is created, and its record takes no further
/// memory.
template <>
inline constexpr std::size_t kElementCost<ObjectRecords> = 0;

/// State of a visit to the records of an object stream, in addition to ObjectLinks.
struct ObjectVisit {
  ObjectLinks& links;
  ObjectTable& table;
  bool keeps;
  std::size_t index = 0;

  static ObjectVisit*& Current() {
    static thread_local ObjectVisit* current = nullptr;
    return current;
  }
};

inline void VisitObjectRecord(AnyArchive& archive) {
  ObjectVisit* const visit = ObjectVisit::Current();
  std::uint32_t size = 0;
  if (visit == nullptr) return archive.Named("size", "", 0, size);
  const ObjectLinks::Object object = visit->links.objects[visit->index];
  if (object.of == nullptr) {
    // Visit the skipped object as a string, which has the same wire format as an object record: a
    // u32 size and the bytes.
    std::string bytes;
    archive.Named("dropped", "", 0, bytes);
    if (archive.Ok() && visit->keeps) {
      KeepRecord(archive, visit->links, visit->table, visit->index,
                 std::as_bytes(std::span(bytes)));
    }
    return;
  }
  if (archive.IsWriting()) {
    Writer writer(Revision(archive.revision.number()));
    if (!WriteObject(visit->links, visit->index, archive.DepthLeft(), writer))
      return TellObjectTrouble(archive, visit->links);
    size = static_cast<std::uint32_t>(writer.Bytes().size());
  }
  archive.Named("size", "", 0, size);
  const std::size_t start = archive.ByteOffset();
  const PartStart outer = archive.BeginPart();
  visit->links.at = static_cast<ObjectId>(visit->index + 1);
  if (!archive.Descend(object.depth)) return archive.Ascend(object.depth);
  for (const auto& each : visit->links.classes().All()) {
    // Use the class name as spelled in the file, which is the old name if the class has been
    // renamed since.
    const bool here = each.get() == object.of && object.kind < visit->table.classes.size();
    const char* const name =
        here ? visit->links.classes().Spelled(visit->table.classes[object.kind], *each)
             : each->name.c_str();
    const Site site{Form::AddConditional, name, "", "", "the object's class", "", "", 0};
    archive.Field({.site = site,
                   .condition = each.get() == object.of,
                   .type = *each->type,
                   .value = object.address});
  }
  archive.Ascend(object.depth);
  archive.EndPart(outer);
  if (archive.IsReading() && archive.Ok() && start != AnyArchive::kNoBytes &&
      archive.ByteOffset() - start != size) {
    archive.FailHere(RecordSizeText(size, archive.ByteOffset() - start));
  }
}

template <>
struct AnyVisitor<ObjectRecords> {
  static void Visit(AnyArchive& archive, ObjectRecords&, const TypeInfo& type) {
    ObjectVisit* const visit = ObjectVisit::Current();
    const std::size_t count = visit != nullptr ? visit->links.objects.size() : 0;
    const std::size_t found = archive.BeginContainer(type, count);
    if (!archive.Invents() && found != count)
      archive.FailHere("the number of object kinds does not match the number of object records");
    ObjectRecord record;
    for (std::size_t i = 0; i < count && archive.Ok(); ++i) {
      visit->index = i;
      VisitElement(archive, type, record, i);
    }
    archive.EndContainer(type);
  }
};

/// Makes up a stream with one root object of each class that exists at the revision and can be a
/// root. In a made-up file, records of retired classes come before these objects.
template <class Roots>
void InventObjects(const AnyArchive& archive, ObjectLinks& links, ObjectTable& table,
                   typename RefTraits<Roots>::Ids& ids) {
  table = {};
  ids = {};
  // Limit the nesting, because classes may contain streams of their own class.
  if (links.streams_around() >= 2) return;
  if constexpr (requires { ids.push_back(ObjectId{}); }) {
    const auto add = [&](ObjectLinks::Object object, std::string name) {
      object.kind = static_cast<std::uint16_t>(table.classes.size());
      table.classes.push_back(std::move(name));
      table.kinds.push_back(object.kind);
      table.parents.push_back(0);
      links.objects.push_back(std::move(object));
      ids.push_back(static_cast<ObjectId>(links.objects.size()));
    };
    if (archive.InventsFile()) {
      links.classes().ForEachRetiredAt(archive.revision,
                                       [&](const std::string& name) { add({}, name); });
    }
    for (const auto& each : links.classes().All()) {
      if (each->As(RefTraits<Roots>::Target()) == nullptr) continue;
      constexpr auto kAlways = (std::numeric_limits<std::int64_t>::min)();
      if (each->since != kAlways && !archive.revision.AtLeast(each->since)) continue;
      ObjectLinks::Object object;
      object.of = each.get();
      object.address = each->create();
      if (object.address == nullptr) continue;
      add(std::move(object), links.classes().NameAt(*each, archive.revision.number()));
    }
  }
}

template <class Roots>
void VisitObjectRecords(AnyArchive& archive, const ObjectStream<Roots>& stream) {
  using Mode = ObjectLinks::Mode;
  const bool invents = archive.IsReading() && archive.Invents();
  ObjectLinks links(*stream.classes, invents               ? Mode::Invent
                                     : archive.IsReading() ? Mode::Read
                                                           : Mode::Find);
  ObjectTable table;
  typename RefTraits<Roots>::Ids ids{};
  links.classes().CompareWith(archive.revision);
  if (archive.IsWriting()) {
    if (archive.revision.by_name() != nullptr) {
      return archive.FailHere(
          "object streams do not support gates that refer to revisions by name");
    }
    FindObjects(links, Revision(archive.revision.number()), archive.DepthLeft(), *stream.roots,
                table, ids);
    TellObjectTrouble(archive, links);
  }
  archive.Named("classes", "", 0, table.classes);
  archive.Named("kinds", "", 0, table.kinds);
  archive.Named("parents", "", 0, table.parents);
  archive.Named("shared", "", 0, table.shared);
  archive.Named("roots", "", 0, ids);
  if (!archive.Ok()) return;
  ObjectLinks::Scope scope(&links);
  if (invents) {
    InventObjects<Roots>(archive, links, table, ids);
    if (archive.InventsFile()) {
      Writer written(Revision(archive.revision.number()));
      VisitTable(written, table, ids);
      archive.ChoseBytes(written.Bytes());
    }
  } else if (archive.IsReading()) {
    MakeObjects(archive, links, table, ids);
    TellObjectTrouble(archive, links);
  }
  if (archive.Ok()) {
    ObjectVisit visit{links, table, stream.kept != nullptr};
    ObjectVisit* const outer = std::exchange(ObjectVisit::Current(), &visit);
    ObjectRecords records;
    archive.Named("objects", "", 0, records);
    ObjectVisit::Current() = outer;
  }
  if (!archive.Ok() || archive.IsWriting() || !PayForDangling(archive, links, stream.kept)) return;
  HandOver(links, ids, stream);
  TellObjectTrouble(archive, links);
}

template <class Roots>
void VisitObjectStream(AnyArchive& archive, const ObjectStream<Roots>& stream) {
  if (archive.Descend(kStreamLevels)) VisitObjectRecords(archive, stream);
  archive.Ascend(kStreamLevels);
}

}  // namespace detail

template <class Roots>
struct NameOf<detail::ObjectStream<Roots>> {
  static std::string Name() {
    return "objects<" + TypeName<typename detail::RefTraits<Roots>::Ids>() + ">";
  }
};
template <>
struct NameOf<detail::ObjectRecord> {
  static std::string Name() { return "object"; }
};

inline constexpr auto RevctlBody(Tag<detail::ObjectRecord>) {
  return [](auto& r, auto&, auto*) -> void {
    if constexpr (detail::kErased<decltype(r)>) detail::VisitObjectRecord(r);
  };
}

template <class Roots>
constexpr auto RevctlBody(Tag<detail::ObjectStream<Roots>>) {
  return [](auto& r, auto& d, auto*) -> void {
    using R = std::remove_reference_t<decltype(r)>;
    if (d.classes == nullptr) {
      // Some archives visit an empty ObjectStream only to learn its format.
      Roots none{};
      static const ObjectClasses no_classes;
      detail::ObjectStream<Roots> fresh{&no_classes, &none};
      if constexpr (detail::kErased<R>) detail::VisitObjectStream(r, fresh);
    } else if constexpr (detail::kErased<R>) {
      detail::VisitObjectStream(r, d);
    } else if constexpr (std::is_same_v<R, Reader>) {
      detail::ReadObjectStream(r, d);
    } else if constexpr (R::IsWriting() && !requires { R::kProves; }) {
      detail::WriteObjectStream(r, d);
    } else {
      // The only other archives are those that check whether a type is flat, and object streams
      // never are.
      r.Fail("only Reader can read object streams");
    }
  };
}

}  // namespace revctl
