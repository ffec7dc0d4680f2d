#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <revctl/detail/base/bytes.h>
#include <revctl/detail/base/limits.h>
#include <revctl/objects/depth.h>
#include <revctl/objects/links.h>
#include <revctl/objects/refs.h>

// A graph of objects as a single value. On the wire:
//
//   classes   vector<string>             class names
//   kinds     vector<u16>                index of the class of each object; object i has id i + 1
//   parents   vector<u32>                the only owner; 0 if the object is a root or shared
//   shared    vector<pair<u32,u32>>      pairs of a sharing and a shared object
//   roots     ids, in the shape of the user's list
//   objects   u32 count, then for each: u32 size, and the object as its body writes it, pointers as
//             u32 ids
//
// The tables precede the objects, so that all objects exist when the first pointer is linked, and
// so that dropping an object can also drop the objects that it owns.

namespace revctl {

namespace detail {

/// The tables that precede the objects in an object stream.
struct ObjectTable {
  std::vector<std::string> classes;
  std::vector<std::uint16_t> kinds;
  std::vector<ObjectId> parents;
  std::vector<std::pair<ObjectId, ObjectId>> shared;
};

/// Number of levels by which a nested object stream counts toward Limits::depth. A nested stream
/// uses about as much stack as this many nested containers.
inline constexpr int kStreamLevels = 8;

/// Sets the depth of each object. Fails if an object is owned more than `levels` deep.
inline bool MeasureDepths(ObjectLinks& links, const ObjectTable& table, int levels) {
  const OwnershipDepths owned(table.parents, table.shared);
  for (std::size_t i = 0; i < links.objects.size(); ++i) {
    if (owned.Depths()[i] > static_cast<std::uint32_t>(levels)) {
      return links.Fail("object " + std::to_string(i + 1) + " is nested under " +
                        std::to_string(owned.Depths()[i]) + " owners, which exceeds the limit");
    }
    links.objects[i].depth = static_cast<int>(owned.Depths()[i]);
  }
  return true;
}

/// Finds the objects that are omitted because only omitted objects own them. Pointers to these
/// objects become null. Runs bodies at the maximal revision, because the gates of a new class are
/// closed at the revision that is being written.
inline void FindLeftOut(ObjectLinks& links, int levels) {
  Writer writer{Revision((std::numeric_limits<std::int64_t>::max)())};
  writer.SetLimits({.depth = levels});
  links.finder = &writer;
  links.SetMode(ObjectLinks::Mode::Leave);
  // neither the id of an object nor 0, which stands for the roots
  links.at = (std::numeric_limits<ObjectId>::max)();
  for (std::size_t i = 0; i < links.left_out.size(); ++i) {
    const ObjectLinks::Left left = links.left_out[i];
    writer.Clear();
    left.of->write(writer, left.address);
  }
}

/// Runs each body once to find everything that `roots` own directly or indirectly, and prepares
/// `links` for writing. `levels` is the remaining Limits::depth.
template <class Roots>
bool FindObjects(ObjectLinks& links, Revision revision, int levels, const Roots& roots,
                 ObjectTable& table, typename RefTraits<Roots>::Ids& root_ids) {
  ObjectLinks::Scope scope(&links);
  links.revision = revision.number();
  RefTraits<Roots>::Save(links, roots);
  // Report errors in the roots before running any body. Otherwise they would be attributed to the
  // first object.
  if (std::string trouble = links.TakeTrouble(); !trouble.empty())
    return links.Fail(std::move(trouble));
  std::vector<const ObjectClass*> classes;
  Writer writer(revision);
  writer.SetLimits({.depth = levels});
  links.finder = &writer;
  for (std::size_t i = 0; i < links.objects.size(); ++i) {
    const ObjectClass* const of = links.objects[i].of;
    links.at = static_cast<ObjectId>(i + 1);
    writer.Clear();
    of->write(writer, links.objects[i].address);
    if (!writer.Ok()) {
      return links.Fail("object " + std::to_string(i + 1) + ", a `" + of->name +
                        "`: " + writer.error().reason);
    }
    std::size_t kind = 0;
    while (kind < classes.size() && classes[kind] != of) ++kind;
    if (kind == classes.size()) {
      if (kind > UINT16_MAX)
        return links.Fail("more classes than 16-bit class indices can represent");
      classes.push_back(of);
      table.classes.push_back(links.classes().NameAt(*of, revision.number()));
    }
    links.objects[i].kind = static_cast<std::uint16_t>(kind);
  }
  for (const ObjectLinks::Object& object : links.objects) {
    table.kinds.push_back(object.kind);
    table.parents.push_back(object.parent);
  }
  table.shared = links.shared;
  FindLeftOut(links, levels);
  links.finder = nullptr;
  links.SetMode(ObjectLinks::Mode::Write);
  links.at = 0;
  root_ids = RefTraits<Roots>::Save(links, roots);
  return MeasureDepths(links, table, levels);
}

/// Writes the record of one object into `writer`. All objects must have ids. On failure, returns
/// false with the error in `links`.
inline bool WriteObject(ObjectLinks& links, std::size_t index, int levels, Writer& writer) {
  const ObjectLinks::Object& object = links.objects[index];
  links.at = static_cast<ObjectId>(index + 1);
  writer.Clear();
  writer.SetLimits({.depth = levels - object.depth});
  object.of->write(writer, object.address);
  if (writer.Ok() && writer.Bytes().size() > UINT32_MAX)
    writer.FailHere("a record is too large for its 32-bit size");
  if (writer.Ok()) return true;
  return links.Fail("object " + std::to_string(index + 1) + ", a `" + object.of->name +
                    "`: " + writer.error().reason);
}

template <class Ids>
void ForEachId(const Ids& ids, auto&& each) {
  if constexpr (std::is_same_v<Ids, ObjectId>) {
    each(ids);
  } else if constexpr (requires { typename Ids::mapped_type; }) {
    for (const auto& entry : ids) ForEachId(entry.second, each);
  } else {
    for (const auto& part : ids) ForEachId(part, each);
  }
}

/// Determines which objects to create, namely those that roots reach through owners that are not
/// dropped. Fails if the tables are invalid: a class or id is out of range, or an object has no
/// owner or two owners.
template <class Ids>
bool LiveObjects(ObjectLinks& links, const ObjectTable& table, const Ids& roots,
                 std::vector<bool>& live) {
  const std::size_t count = table.kinds.size();
  if (table.parents.size() != count)
    return links.Fail("the number of object kinds does not match the number of object parents");
  std::vector<std::vector<ObjectId>> owns(count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (table.kinds[i] >= table.classes.size())
      return links.Fail("object " + std::to_string(i + 1) + " has no class");
    if (table.parents[i] > count)
      return links.Fail("object " + std::to_string(i + 1) + " has an owner that does not exist");
    if (table.parents[i] != 0) owns[table.parents[i]].push_back(static_cast<ObjectId>(i + 1));
  }
  for (const auto& [owner, owned] : table.shared) {
    if (owner == 0 || owner > count || owned == 0 || owned > count)
      return links.Fail("a shared pointer refers to an object that does not exist");
    if (table.parents[owned - 1] != 0)
      return links.Fail("object " + std::to_string(owned) + " is both owned and shared");
    owns[owner].push_back(owned);
  }
  // Returns, for each id, whether a root reaches the object along a chain of objects that `follows`
  // all accepts.
  const auto reached_through = [&](auto follows) {
    std::vector<ObjectId> next;
    std::vector<bool> reached(count + 1, false);
    const auto reach = [&](ObjectId id) {
      if (reached[id] || !follows(id)) return;
      reached[id] = true;
      next.push_back(id);
    };
    ForEachId(roots, [&](ObjectId id) {
      if (id != 0 && id <= count && table.parents[id - 1] == 0) reach(id);
    });
    while (!next.empty()) {
      const ObjectId owner = next.back();
      next.pop_back();
      for (const ObjectId owned : owns[owner]) reach(owned);
    }
    return reached;
  };
  // First follow all owners, because an object that no root reaches is an error. Then follow only
  // owners that are not dropped.
  const std::vector<bool> all = reached_through([](ObjectId) { return true; });
  for (std::size_t id = 1; id <= count; ++id) {
    if (!all[id]) return links.Fail("object " + std::to_string(id) + " has no owner");
  }
  const std::vector<bool> kept =
      reached_through([&](ObjectId id) { return links.objects[id - 1].of != nullptr; });
  live.assign(kept.begin() + 1, kept.end());
  return true;
}

/// Creates the objects in the table, and charges them to the budget of the archive `r`.
template <class R, class Ids>
bool MakeObjects(R& r, ObjectLinks& links, const ObjectTable& table, const Ids& roots) {
  const ObjectClasses& classes = links.classes();
  std::vector<const ObjectClass*> known;
  std::vector<bool> used(table.classes.size(), false);
  for (const std::uint16_t kind : table.kinds) {
    if (kind < used.size()) used[kind] = true;
  }
  for (std::size_t k = 0; k < table.classes.size(); ++k) {
    const std::string& name = table.classes[k];
    const ObjectClass* const of = classes.IsRetired(name) ? nullptr : classes.Find(name);
    if (of == nullptr && used[k] && !classes.IsRetired(name) &&
        classes.on_unknown() == Stray::Refuse) {
      return links.Fail(
          "class `" + name +
          "` is unknown: use Add, Renamed or Retired for it, or handle it with OnUnknown");
    }
    known.push_back(of);
  }
  if (!r.PayFor(table.kinds.size(), sizeof(ObjectLinks::Object))) return false;
  links.shared = table.shared;
  links.objects.resize(table.kinds.size());
  for (std::size_t i = 0; i < links.objects.size(); ++i) {
    links.objects[i].kind = table.kinds[i];
    links.objects[i].parent = i < table.parents.size() ? table.parents[i] : 0;
    if (table.kinds[i] < known.size()) links.objects[i].of = known[table.kinds[i]];
  }
  std::vector<bool> live;
  if (!LiveObjects(links, table, roots, live) || !MeasureDepths(links, table, r.DepthLeft()))
    return false;
  for (std::size_t i = 0; i < links.objects.size(); ++i) {
    ObjectLinks::Object& object = links.objects[i];
    if (!live[i]) {
      object.of = nullptr;
      continue;
    }
    if (!r.PayFor(1, object.of->size + kNode)) return false;
    object.address = object.of->create();
    if (object.address == nullptr)
      return links.Fail("no object of class `" + object.of->name + "` could be created");
  }
  return true;
}

/// The value that ADD_OBJECTS visits: the user's list of roots and the classes.
template <class Roots>
struct ObjectStream {
  const ObjectClasses* classes = nullptr;
  Roots* roots = nullptr;
  /// Receives the kept records after everything else has been read. May be null.
  std::vector<KeptObject>* kept = nullptr;
  /// True if nothing may follow the stream in the payload. Any further bytes are then reported
  /// before the user receives the roots.
  bool is_all = false;
};
template <class Roots>
inline constexpr bool kTakesArchive<ObjectStream<Roots>> = true;

/// Passes the roots to the user after all bodies have run. Fails if any object has no owner.
template <class Roots>
bool HandOver(ObjectLinks& links, const typename RefTraits<Roots>::Ids& ids,
              const ObjectStream<Roots>& stream) {
  Roots& roots = *stream.roots;
  for (std::size_t i = 0; i < links.objects.size(); ++i) {
    const ObjectLinks::Object& object = links.objects[i];
    if (object.address != nullptr && object.parent != 0 && !object.claimed &&
        links.mode() == ObjectLinks::Mode::Read) {
      return links.Fail("object " + std::to_string(i + 1) + ", a `" + object.of->name +
                        "`, was not claimed by its owner");
    }
  }
  links.at = 0;
  RefTraits<Roots>::Load(links, ids, roots);
  std::string trouble = links.TakeTrouble();
  for (std::size_t i = 0; trouble.empty() && i < links.objects.size(); ++i) {
    const ObjectLinks::Object& object = links.objects[i];
    if (object.address != nullptr && !object.claimed) {
      trouble = "object " + std::to_string(i + 1) + ", a `" + object.of->name +
                "`, has no shared owner left";
    }
  }
  const ObjectId lost =
      trouble.empty() && links.mode() == ObjectLinks::Mode::Read ? FindLost(links) : 0;
  if (lost != 0) {
    trouble = "object " + std::to_string(lost) + ", a `" + links.objects[lost - 1].of->name +
              "`, is shared only by objects that are unreachable from the roots";
  }
  if (!trouble.empty()) {
    RefTraits<Roots>::Clear(roots);
    links.TakeBack();
    return links.Fail(std::move(trouble));
  }
  links.HandedOver();
  if (stream.kept != nullptr) {
    std::move(links.kept.begin(), links.kept.end(), std::back_inserter(*stream.kept));
    for (const auto& [holder, id] : links.dangling) stream.kept->push_back({{}, id, {}, holder});
  }
  for (const ObjectLinks::Object& object : links.objects) {
    if (object.address != nullptr && object.of->linked != nullptr)
      object.of->linked(object.address);
  }
  return true;
}

// ---- object streams in binary archives

template <class R, class Ids>
void VisitTable(R& r, ObjectTable& table, Ids& ids) {
  r.Field(table.classes, "classes");
  r.Field(table.kinds, "kinds");
  r.Field(table.parents, "parents");
  r.Field(table.shared, "shared");
  r.Field(ids, "roots");
}

template <class R, class Roots>
void WriteObjectRecords(R& r, const ObjectStream<Roots>& stream) {
  ObjectLinks links(*stream.classes, ObjectLinks::Mode::Find);
  ObjectTable table;
  typename RefTraits<Roots>::Ids ids{};
  FindObjects(links, Revision(r.revision.number()), r.DepthLeft(), *stream.roots, table, ids);
  TellObjectTrouble(r, links);
  if (!r.Ok()) return;
  ObjectLinks::Scope scope(&links);
  VisitTable(r, table, ids);
  auto count = static_cast<std::uint32_t>(links.objects.size());
  r.Value(count);
  Writer writer(Revision(r.revision.number()));
  for (std::size_t i = 0; i < count && r.Ok(); ++i) {
    if (!WriteObject(links, i, r.DepthLeft(), writer)) return TellObjectTrouble(r, links);
    auto size = static_cast<std::uint32_t>(writer.Bytes().size());
    r.Value(size);
    VisitBytes(r, const_cast<std::byte*>(writer.Bytes().data()), size);
  }
}

template <class R, class Roots>
void WriteObjectStream(R& r, const ObjectStream<Roots>& stream) {
  // Skip a nested stream while the outer stream only searches for owned objects. A nested stream is
  // independent, and running it twice at each of n levels would take 2^n runs.
  if (const ObjectLinks* outer = ObjectLinks::Current(); outer != nullptr) {
    if (static_cast<const void*>(outer->finder) == &r) return;
  }
  if (r.Descend(kStreamLevels)) WriteObjectRecords(r, stream);
  r.Ascend(kStreamLevels);
}

inline std::string RecordSizeText(std::size_t size, std::size_t read) {
  return "the record has " + std::to_string(size) + " bytes, but its body read " +
         std::to_string(read);
}

/// Keeps a record of an unknown class if the user wants it and the budget allows it. Also charges
/// for the class name, because many short records may share a long name and each keeps a copy.
template <class R>
void KeepRecord(R& r, ObjectLinks& links, const ObjectTable& table, std::size_t index,
                std::span<const std::byte> bytes) {
  const std::string& name = table.classes[table.kinds[index]];
  if (links.classes().on_unknown() != Stray::Keep || links.classes().IsRetired(name) ||
      links.classes().Find(name) != nullptr)
    return;
  if (!r.PayFor(1, sizeof(KeptObject) + name.size() + bytes.size())) return;
  links.kept.push_back({name, static_cast<ObjectId>(index + 1), {bytes.begin(), bytes.end()}, 0});
}

/// Charges for the list of dangling ids, which have so far been charged only as null pointers.
/// Returns false if the budget is exceeded.
template <class R>
bool PayForDangling(R& r, const ObjectLinks& links, const std::vector<KeptObject>* kept) {
  return kept == nullptr ||
         r.PayFor(links.dangling.size(), sizeof(ObjectLinks::Dangling) + sizeof(KeptObject));
}

/// Reads the record of one object.
inline void ReadObject(Reader& r, ObjectLinks& links, const ObjectTable& table, std::size_t index,
                       bool keeps) {
  const ObjectLinks::Object object = links.objects[index];
  std::uint32_t size = 0;
  r.Field(size, "size");
  if (!r.Ok()) return;
  if (object.of == nullptr) {
    const auto bytes = r.Take(size);
    if (!r.Ok()) return r.FailedInField("dropped");
    if (keeps) KeepRecord(r, links, table, index, bytes);
    return;
  }
  const std::size_t start = r.offset();
  const PartStart outer = r.BeginPart();
  links.at = static_cast<ObjectId>(index + 1);
  if (r.Descend(object.depth)) {
    object.of->read(r, object.address);
    if (!r.Ok()) r.FailedInField(links.classes().Spelled(table.classes[object.kind], *object.of));
  }
  r.Ascend(object.depth);
  r.EndPart(outer);
  if (r.Ok() && r.offset() - start != size) r.FailHere(RecordSizeText(size, r.offset() - start));
}

template <class Roots>
void ReadObjectRecords(Reader& r, const ObjectStream<Roots>& stream) {
  ObjectTable table;
  typename RefTraits<Roots>::Ids ids{};
  std::uint32_t count = 0;
  VisitTable(r, table, ids);
  if (!r.Ok()) return;
  r.Field(count, "objects");
  if (!r.Ok()) return;
  if (count != table.kinds.size()) {
    r.FailHere("the number of object kinds does not match the number of object records");
    return r.FailedInField("objects");
  }
  ObjectLinks links(*stream.classes, ObjectLinks::Mode::Read);
  ObjectLinks::Scope scope(&links);
  MakeObjects(r, links, table, ids);
  TellObjectTrouble(r, links);
  for (std::size_t i = 0; i < links.objects.size() && r.Ok(); ++i) {
    ReadObject(r, links, table, i, stream.kept != nullptr);
    if (!r.Ok()) {
      r.FailedInElement(i);
      r.FailedInField("objects");
    }
  }
  if (stream.is_all && r.Ok() && !r.AtEnd())
    r.FailHere("the objects end here, but more bytes follow");
  if (!r.Ok() || !PayForDangling(r, links, stream.kept)) return;
  HandOver(links, ids, stream);
  TellObjectTrouble(r, links);
}

template <class Roots>
void ReadObjectStream(Reader& r, const ObjectStream<Roots>& stream) {
  if (r.Descend(kStreamLevels)) ReadObjectRecords(r, stream);
  r.Ascend(kStreamLevels);
}

}  // namespace detail
}  // namespace revctl
