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

// Graphs: objects that point at each other. Pointers become ids in a stream; when it is read, every
// object is made first, by the name of its class, and then bodies run and link: forward references,
// cycles, shared and null pointers need no care. See docs/guide/objects.md.
//
//   SERIALIZE_TYPE(Goblin) {
//     ADD_BASE(SR_INITIAL, Actor);
//     ADD_REF(SR_INITIAL, target);  // Actor*: points at an object of the stream
//     ADD_REF(SR_LOOT, weapon);     // std::unique_ptr<Weapon>: owns one, which is saved with it
//   } SERIALIZE_END
//   SERIALIZE_TYPE(Level) {
//     // The roots: std::vector<std::unique_ptr<Actor>>.
//     ADD_OBJECTS(SR_INITIAL, Classes(), actors);
//   } SERIALIZE_END
//
// While bodies read, pointers lead to objects that exist but may not have been read yet: link up,
// and look only later. A function `void AfterLink(Goblin&)` in the class's namespace runs when all
// have been read.

/// The member is a pointer to an object of the same stream, or a vector, array or map of pointers.
/// Raw and weak pointers point at what others own; unique_ptr and shared_ptr own, and what they own
/// is saved with its owner.
#define REVCTL_ADD_REF(since_, member_)                                                           \
  do {                                                                                            \
    const bool revctl_ref_live = r.revision >= (since_);                                          \
    auto revctl_ids = ::revctl::detail::SaveRefs(r, d.member_, revctl_ref_live);                  \
    REVCTL_DETAIL_FIELD(AddRef, #member_, #since_, "", "", "", since_, 0, r.revision >= (since_), \
                        true, revctl_ids);                                                        \
    if (r.IsReading() && revctl_ref_live) ::revctl::detail::LoadRefs(r, revctl_ids, d.member_);   \
    REVCTL_SERIALIZE_IGNORE(member_); /* what is visited stands for it, in another place */       \
  } while (0)

/// A pointer that is gone, as a local for upgrade code: `REM_REF(SR_A, SR_B, Actor*, victim)`. Null
/// unless read. Where it is a unique_ptr or shared_ptr, move it to where it is to live: others may
/// point at the object.
#define REVCTL_REM_REF(since_, until_, type_, name_)                                        \
  REVCTL_DETAIL_LIVED(since_, until_, #name_);                                              \
  type_ name_{};                                                                            \
  do {                                                                                      \
    ::revctl::detail::RefTraits<type_>::Ids revctl_ids{};                                   \
    const bool revctl_ref_live = r.revision >= (since_) && r.revision < (until_);           \
    REVCTL_DETAIL_FIELD(RemRef, #name_, #since_, #until_, "", #type_, since_, until_,       \
                        r.revision >= (since_) && r.revision < (until_), true, revctl_ids); \
    if (r.IsReading() && revctl_ref_live) ::revctl::detail::LoadRefs(r, revctl_ids, name_); \
  } while (0)

/// The member lists the roots of a graph: pointers of any kind ADD_REF takes; raw ones own here
/// (the loader deletes), so that each object stands there once and nothing else owns it. A
/// fourth argument names a member `std::vector<revctl::KeptObject>` for records of unknown classes
/// and for ids that lead nowhere (Stray::Keep).
#define REVCTL_ADD_OBJECTS(since_, classes_, member_, ...)                                      \
  do {                                                                                          \
    ::revctl::detail::ObjectStream<std::remove_reference_t<decltype(d.member_)>> revctl_stream{ \
        &(classes_), &d.member_ __VA_OPT__(, &d.__VA_ARGS__)};                                  \
    REVCTL_DETAIL_FIELD(Add, #member_, #since_, "", "", "", since_, 0, r.revision >= (since_),  \
                        true, revctl_stream);                                                   \
    REVCTL_SERIALIZE_IGNORE(member_);                                                           \
    __VA_OPT__(REVCTL_SERIALIZE_IGNORE(__VA_ARGS__);)                                           \
  } while (0)

#ifndef REVCTL_NO_SHORT_MACROS
#define ADD_REF(since, member) REVCTL_ADD_REF(since, member)
#define REM_REF(since, until, type, name) REVCTL_REM_REF(since, until, type, name)
#define ADD_OBJECTS(since, classes, ...) REVCTL_ADD_OBJECTS(since, classes, __VA_ARGS__)
#endif

namespace revctl {

/// Writes header and one record stream: `roots` and everything that they own. With
/// `classes.OnOthers(Stray::Drop)` only objects of the chosen classes.
template <RevisionNumber N, class Roots, ByteBuffer B>
Status SaveObjects(N revision, const ObjectClasses& classes, const Roots& roots, B& bytes,
                   FileFormat format = {}) {
  const detail::ObjectStream<Roots> stream{&classes, const_cast<Roots*>(&roots), nullptr};
  return Save(revision, stream, bytes, format);
}

/// Reads what SaveObjects wrote, at this or an older revision. `roots` changes on success only;
/// records of unknown classes and ids that lead nowhere go to `kept`, where `classes.OnUnknown` or
/// `OnDangling(Stray::Keep)` say so.
template <class Enum = TheOnlyList, ByteRange B, class Roots>
Status LoadObjects(const B& bytes, const ObjectClasses& classes, Roots& roots,
                   std::vector<KeptObject>* kept = nullptr, FileFormat format = {}) {
  detail::RequireAssignable<Roots>();
  if (format.list == nullptr) format.list = ListFor<Enum>();
  std::int64_t revision = 0;
  std::span<const std::byte> all = AsBytes(bytes);
  Status status = detail::OnlyByLoad(format);
  if (status) status = CheckFileHeader(all, format, revision);
  if (status) status = CheckChecksum(all, format);
  if (!status) return status;
  Reader reader(all.subspan(kFileHeaderSize), revision, {format.resource, format.borrow});
  reader.SetLimits(format.limits);
  Roots fresh{};
  std::vector<KeptObject> found;
  detail::ObjectStream<Roots> stream{&classes, &fresh, &found, /*is_all=*/true};
  const ObjectClasses* const outer = std::exchange(detail::FallbackObjectClasses(), &classes);
  Serialize(reader, stream);
  detail::FallbackObjectClasses() = outer;
  if (!reader.Ok()) return detail::ToStatus(reader.error(), kFileHeaderSize, "reading");
  roots = std::move(fresh);
  if (kept != nullptr) *kept = std::move(found);
  return {};
}

/// SaveObjects() into a file, replacing it as a whole.
template <RevisionNumber N, class Roots>
Status SaveObjectsFile(const std::string& path, N revision, const ObjectClasses& classes,
                       const Roots& roots, const FileFormat& format = {}) {
  return detail::IntoFile(
      path, [&](auto& bytes) { return SaveObjects(revision, classes, roots, bytes, format); });
}

/// LoadObjects() from a file. On an error `roots` is as before, and the message begins with the
/// path.
template <class Enum = TheOnlyList, class Roots>
Status LoadObjectsFile(const std::string& path, const ObjectClasses& classes, Roots& roots,
                       std::vector<KeptObject>* kept = nullptr, const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return LoadObjects<Enum>(bytes, classes, roots, kept, owning);
  });
}

}  // namespace revctl
