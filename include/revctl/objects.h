#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <revctl/objects/classes.h>
#include <revctl/objects/refs.h>
#include <revctl/objects/stream.h>
#include <revctl/objects/visit.h>
#include <revctl/save_file.h>
#include <revctl/serialize.h>

// Graphs of objects that point to each other. Pointers become ids in a stream. Reading first
// creates every object by the name of its class, then runs the bodies and links the objects, so
// forward references, cycles, shared and null pointers need no special code. See
// docs/guide/objects.md.
//
//   SERIALIZE_TYPE(Goblin) {
//     ADD_BASE(SR_INITIAL, Actor);
//     ADD_REF(SR_INITIAL, target);  // Actor*: points to an object of the stream
//     ADD_REF(SR_LOOT, weapon);     // std::unique_ptr<Weapon>: owns an object
//   } SERIALIZE_END
//   SERIALIZE_TYPE(Level) {
//     // The roots: std::vector<std::unique_ptr<Actor>>.
//     ADD_OBJECTS(SR_INITIAL, Classes(), actors);
//   } SERIALIZE_END
//
// While bodies run during reading, pointers refer to objects that exist but may not have been read
// yet, so bodies must not access them. A function `void AfterLink(Goblin&)` in the class's
// namespace is called after all objects have been read.

/// Visits a member that is a pointer to an object of the same stream, or a vector, array or map of
/// such pointers. Raw and weak pointers refer to objects that something else owns. unique_ptr and
/// shared_ptr own their objects, which are saved with their owner.
#define REVCTL_ADD_REF(since_, member_)                                                         \
  do {                                                                                          \
    const bool revctl_ref_live = r.revision >= (since_);                                        \
    auto revctl_ids = ::revctl::detail::SaveRefs(r, d.member_, revctl_ref_live);                \
    REVCTL_DETAIL_FIELD(AddRef, #member_, REVCTL_DETAIL_TEXTS(#member_, #since_, "", "", ""),   \
                        since_, 0, REVCTL_DETAIL_SINCE(since_), true, revctl_ids);              \
    if (r.IsReading() && revctl_ref_live) ::revctl::detail::LoadRefs(r, revctl_ids, d.member_); \
    REVCTL_SERIALIZE_IGNORE(member_); /* what is visited stands for it, in another place */     \
  } while (0)

/// Declares a local variable that holds a removed pointer, for upgrade code: `REM_REF(SR_A, SR_B,
/// Actor*, victim)`. The variable is null unless the file contains the pointer. Move a unique_ptr
/// or shared_ptr to its new owner, because other pointers may refer to the object.
#define REVCTL_REM_REF(since_, until_, type_, name_)                                               \
  REVCTL_DETAIL_LIVED(since_, until_, #name_);                                                     \
  type_ name_{};                                                                                   \
  do {                                                                                             \
    ::revctl::detail::RefTraits<type_>::Ids revctl_ids{};                                          \
    const bool revctl_ref_live = r.revision >= (since_) && r.revision < (until_);                  \
    REVCTL_DETAIL_FIELD(RemRef, #name_, REVCTL_DETAIL_TEXTS(#name_, #since_, #until_, "", #type_), \
                        since_, until_, REVCTL_DETAIL_LIVES(since_, until_), true, revctl_ids);    \
    if (r.IsReading() && revctl_ref_live) ::revctl::detail::LoadRefs(r, revctl_ids, name_);        \
  } while (0)

/// Visits a member that holds the roots of a graph, which may be any pointers that ADD_REF accepts.
/// Raw pointers own their objects here (the loader deletes them), so list each object once, and
/// make sure that nothing else owns it. The optional fourth argument names a member of type
/// `std::vector<revctl::KeptObject>` that receives records of unknown classes and dangling ids
/// (Stray::Keep).
#define REVCTL_ADD_OBJECTS(since_, classes_, member_, ...)                                         \
  do {                                                                                             \
    ::revctl::detail::ObjectStream<std::remove_reference_t<decltype(d.member_)>> revctl_stream{    \
        &(classes_), &d.member_ __VA_OPT__(, &d.__VA_ARGS__)};                                     \
    REVCTL_DETAIL_FIELD(Add, #member_, REVCTL_DETAIL_TEXTS(#member_, #since_, "", "", ""), since_, \
                        0, REVCTL_DETAIL_SINCE(since_), true, revctl_stream);                      \
    REVCTL_SERIALIZE_IGNORE(member_);                                                              \
    __VA_OPT__(REVCTL_SERIALIZE_IGNORE(__VA_ARGS__);)                                              \
  } while (0)

#ifndef REVCTL_NO_SHORT_MACROS
#define ADD_REF(since, member) REVCTL_ADD_REF(since, member)
#define REM_REF(since, until, type, name) REVCTL_REM_REF(since, until, type, name)
#define ADD_OBJECTS(since, classes, ...) REVCTL_ADD_OBJECTS(since, classes, __VA_ARGS__)
#endif

namespace revctl {

/// Writes a file header and one stream with `roots` and everything they own. With
/// `classes.OnOthers(Stray::Drop)`, skips objects whose class is not in `classes`.
template <RevisionNumber N, class Roots, ByteBuffer B>
Status SaveObjects(N revision, const ObjectClasses& classes, const Roots& roots, B& bytes,
                   FileFormat format = {}) {
  const detail::ObjectStream<Roots> stream{&classes, const_cast<Roots*>(&roots), nullptr};
  return Save(revision, stream, bytes, format);
}

namespace detail {

/// Loads objects without checking that this source file knows the newest revision.
template <class Enum, ByteRange B, class Roots>
Status LoadObjectsKnown(const B& bytes, const ObjectClasses& classes, Roots& roots,
                        std::vector<KeptObject>* kept, FileFormat format) {
  RequireAssignable<Roots>();
  if (format.list == nullptr) format.list = ListFor<Enum>();
  std::int64_t revision = 0;
  std::span<const std::byte> all = AsBytes(bytes);
  Status status = OnlyByLoad(format);
  if (status) status = CheckFileHeader(all, format, revision);
  if (status) status = CheckChecksum(all, format);
  if (!status) return status;
  Reader reader(all.subspan(kFileHeaderSize), revision, {format.resource, format.borrow});
  reader.SetLimits(format.limits);
  Roots fresh{};
  std::vector<KeptObject> found;
  ObjectStream<Roots> stream{&classes, &fresh, &found, /*is_all=*/true};
  Serialize(reader, stream);
  if (!reader.Ok()) return ToStatus(reader.error(), kFileHeaderSize, "reading");
  roots = std::move(fresh);
  if (kept != nullptr) *kept = std::move(found);
  return {};
}

}  // namespace detail

/// Reads bytes that SaveObjects wrote at this or an older revision. `roots` and `kept` change only
/// on success. With `classes.OnUnknown(Stray::Keep)` or `OnDangling(Stray::Keep)`, records of
/// unknown classes or dangling ids go to `kept`.
///
/// The calling source file must include the generated table of the list. Programs without a
/// generated table pass the latest revision or a table to one of the overloads below.
template <class Enum = TheOnlyList, ByteRange B, class Roots>
Status LoadObjects(const B& bytes, const ObjectClasses& classes, Roots& roots,
                   std::vector<KeptObject>* kept = nullptr, FileFormat format = {}) {
  detail::RequireLatest<Enum>();
  return detail::LoadObjectsKnown<Enum>(bytes, classes, roots, kept, std::move(format));
}

/// Reads objects in a program without a generated table. `latest` is the newest revision that it
/// knows.
template <ByteRange B, class Roots, RevisionNumber N>
Status LoadObjects(const B& bytes, const ObjectClasses& classes, Roots& roots, N latest,
                   std::vector<KeptObject>* kept = nullptr, FileFormat format = {}) {
  return detail::LoadObjectsKnown<N>(bytes, classes, roots, kept,
                                     detail::UpTo(latest, std::move(format)));
}

/// Reads objects written with the revision list `list`.
template <ByteRange B, class Roots, detail::AnyListTable L>
Status LoadObjects(const B& bytes, const ObjectClasses& classes, Roots& roots, const L& list,
                   std::vector<KeptObject>* kept = nullptr, FileFormat format = {}) {
  return detail::LoadObjectsKnown<TheOnlyList>(bytes, classes, roots, kept,
                                               detail::With(list, std::move(format)));
}

/// Saves objects to a file, which is replaced atomically.
template <RevisionNumber N, class Roots>
Status SaveObjectsFile(const std::string& path, N revision, const ObjectClasses& classes,
                       const Roots& roots, const FileFormat& format = {}) {
  return detail::IntoFile(
      path, [&](auto& bytes) { return SaveObjects(revision, classes, roots, bytes, format); });
}

/// Loads objects from a file. On failure, `roots` is unchanged, and the message begins with the
/// path. The calling source file must include the generated table of the list.
template <class Enum = TheOnlyList, class Roots>
Status LoadObjectsFile(const std::string& path, const ObjectClasses& classes, Roots& roots,
                       std::vector<KeptObject>* kept = nullptr, const FileFormat& format = {}) {
  detail::RequireLatest<Enum>();
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return detail::LoadObjectsKnown<Enum>(bytes, classes, roots, kept, owning);
  });
}

/// Loads objects from a file in a program without a generated table. `latest` is the newest
/// revision that it knows.
template <class Roots, RevisionNumber N>
Status LoadObjectsFile(const std::string& path, const ObjectClasses& classes, Roots& roots,
                       N latest, std::vector<KeptObject>* kept = nullptr,
                       const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return LoadObjects(bytes, classes, roots, latest, kept, owning);
  });
}

/// Loads objects from a file written with the revision list `list`.
template <class Roots, detail::AnyListTable L>
Status LoadObjectsFile(const std::string& path, const ObjectClasses& classes, Roots& roots,
                       const L& list, std::vector<KeptObject>* kept = nullptr,
                       const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return LoadObjects(bytes, classes, roots, list, kept, owning);
  });
}

}  // namespace revctl
