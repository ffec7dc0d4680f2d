// Implements Repository with libgit2. Only this file includes <git2.h>.
#include <git2.h>
#include <git2/sys/repository.h>

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <variant>

#include "revctl/base/ascii.h"
#include "revctl/git/known_leaks.h"
#include "revctl/git/repository.h"
#include "revctl/git/text_merge.h"

namespace revctl::git {
namespace {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* handle) const noexcept {
    Free(handle);
  }
};
using Handle = std::unique_ptr<git_repository, FreeWith<git_repository_free>>;
using Object = std::unique_ptr<git_object, FreeWith<git_object_free>>;
using Commit = std::unique_ptr<git_commit, FreeWith<git_commit_free>>;
using Tree = std::unique_ptr<git_tree, FreeWith<git_tree_free>>;
using TreeEntry = std::unique_ptr<git_tree_entry, FreeWith<git_tree_entry_free>>;
using TreeBuilder = std::unique_ptr<git_treebuilder, FreeWith<git_treebuilder_free>>;
using Blob = std::unique_ptr<git_blob, FreeWith<git_blob_free>>;
using Reference = std::unique_ptr<git_reference, FreeWith<git_reference_free>>;
using ReferenceIterator =
    std::unique_ptr<git_reference_iterator, FreeWith<git_reference_iterator_free>>;
using GitConfig = std::unique_ptr<git_config, FreeWith<git_config_free>>;
using Signature = std::unique_ptr<git_signature, FreeWith<git_signature_free>>;
using Transaction = std::unique_ptr<git_transaction, FreeWith<git_transaction_free>>;
using RevWalk = std::unique_ptr<git_revwalk, FreeWith<git_revwalk_free>>;
using Index = std::unique_ptr<git_index, FreeWith<git_index_free>>;
using Diff = std::unique_ptr<git_diff, FreeWith<git_diff_free>>;
using Filters = std::unique_ptr<git_filter_list, FreeWith<git_filter_list_free>>;

class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { git_buf_dispose(&buffer_); }
  git_buf* get() { return &buffer_; }
  std::string text() const { return {buffer_.ptr, buffer_.size}; }

 private:
  git_buf buffer_ = GIT_BUF_INIT;
};

std::string LastError() {
  const git_error* last = git_error_last();
  return last != nullptr && last->message != nullptr ? last->message : "unknown error";
}

Error Failed(const std::string& doing) {
  return {Exit::Environment, fmt::format("{}: {}", doing, LastError()), ""};
}

std::string WithoutFinalSlash(const char* path) {
  std::string out = path == nullptr ? "" : path;
  while (out.size() > 1 && out.back() == '/') out.pop_back();
  return out;
}

std::string Hex(const git_oid* id) {
  std::string out(GIT_OID_HEXSZ, '0');
  git_oid_fmt(out.data(), id);
  return out;
}

std::optional<std::string> Content(const Blob& blob) {
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())),
                     static_cast<std::size_t>(git_blob_rawsize(blob.get())));
}

class Libgit2Repository : public Repository {
 public:
  Libgit2Repository(Handle handle, bool git_knows_more)
      : repository_(std::move(handle)), git_knows_more_(git_knows_more) {
    root_ = WithoutFinalSlash(git_repository_workdir(repository_.get()));
    git_dir_ = WithoutFinalSlash(git_repository_path(repository_.get()));
    common_dir_ = WithoutFinalSlash(git_repository_commondir(repository_.get()));
  }

  Result<std::optional<Oid>> Resolve(std::string_view ref) const override {
    git_oid id;
    const std::string name(ref);
    int code = git_reference_name_to_id(&id, raw(), name.c_str());
    if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC) return std::optional<Oid>();
    if (code != 0) return Failed(fmt::format("cannot read ref {}", name));
    return Peeled(Hex(&id));
  }

  Result<std::optional<Oid>> RevParse(std::string_view what) const override {
    return Peeled(std::string(what));
  }

  Result<std::vector<std::pair<std::string, Oid>>> Refs(std::string_view prefix) const override {
    git_reference_iterator* raw_iterator = nullptr;
    if (git_reference_iterator_new(&raw_iterator, raw()) != 0) return Failed("cannot list refs");
    ReferenceIterator iterator(raw_iterator);
    std::vector<std::pair<std::string, Oid>> out;
    git_reference* next = nullptr;
    while (git_reference_next(&next, iterator.get()) == 0) {
      Reference reference(next);
      const std::string name = git_reference_name(reference.get());
      if (!name.starts_with(prefix) || git_reference_type(reference.get()) != GIT_REFERENCE_DIRECT)
        continue;
      out.emplace_back(name, Hex(git_reference_target(reference.get())));
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  Result<std::optional<std::string>> ReadStaged(const std::string& path) const override {
    // Only git can read a split or sparse index, or fetch a blob that a partial clone lacks.
    const Index index = OpenIndex();
    if (!index) return Repository::ReadStaged(path);
    const git_index_entry* const entry = git_index_get_bypath(index.get(), path.c_str(), 0);
    if (entry == nullptr) return std::optional<std::string>();
    git_blob* raw_blob = nullptr;
    if (git_blob_lookup(&raw_blob, raw(), &entry->id) != 0) return Repository::ReadStaged(path);
    return Content(Blob(raw_blob));
  }

  bool OutsideSparseCheckout(const std::string& path) const override {
    const Index index = OpenIndex();
    if (!index) return Repository::OutsideSparseCheckout(path);
    const git_index_entry* const entry = git_index_get_bypath(index.get(), path.c_str(), 0);
    return entry != nullptr && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
  }

  Result<std::optional<bool>> IsIgnored(const std::string& path) const override {
    int ignored = 0;
    // If libgit2 cannot see the whole configuration, the missing part may name an ignore file.
    if (git_knows_more_ || bare()) return std::optional<bool>();
    if (git_ignore_path_is_ignored(&ignored, raw(), path.c_str()) != 0)
      return Failed(fmt::format("cannot tell whether git ignores {}", path));
    return std::optional<bool>(ignored != 0);
  }

  Result<std::optional<std::vector<FileChange>>> ChangesHere(const Oid& from,
                                                             const std::string& folder,
                                                             bool staged) const override {
    using Changes = std::optional<std::vector<FileChange>>;
    const Index index = OpenIndex();
    // The work tree corresponds to the repository's own index, not to a hook's temporary index.
    if (!index || bare() || git_knows_more_ ||
        (!staged && std::getenv("GIT_INDEX_FILE") != nullptr))
      return Changes();
    TRY(auto tree, TreeOf(from));
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_INCLUDE_TYPECHANGE;
    options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
    std::string path = folder;
    char* paths[] = {path.data()};
    options.pathspec = {paths, 1};
    git_diff* raw_diff = nullptr;
    const int code =
        staged ? git_diff_tree_to_index(&raw_diff, raw(), tree.get(), index.get(), &options)
               : git_diff_tree_to_workdir_with_index(&raw_diff, raw(), tree.get(), &options);
    if (code != 0) return Changes();
    const Diff diff(raw_diff);
    std::vector<FileChange> out;
    for (std::size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
      const git_diff_delta& delta = *git_diff_get_delta(diff.get(), i);
      if (const char status = StatusOf(delta, index.get(), staged); status != ' ')
        out.push_back({delta.old_file.path, status});
    }
    return Changes(std::move(out));
  }

  Result<std::optional<std::string>> ReadFile(const Oid& commit,
                                              std::string_view path) const override {
    TRY(const auto entry, FileAt(commit, path));
    if (!entry) return std::optional<std::string>();
    if (git_tree_entry_filemode(entry.get()) == GIT_FILEMODE_LINK) {
      return Error{
          Exit::Usage,
          fmt::format("{} at {} is a symbolic link, not a file", path, commit.substr(0, 10)), ""};
    }
    TRY(const std::uint64_t bytes, BytesIn(entry, commit, path));
    if (bytes > kMostBytes) return TooLarge(path, commit, bytes);
    git_blob* raw_blob = nullptr;
    if (git_blob_lookup(&raw_blob, raw(), git_tree_entry_id(entry.get())) != 0)
      return Failed(fmt::format("cannot read {} at {}", path, commit.substr(0, 10)));
    return Content(Blob(raw_blob));
  }

  Result<std::optional<std::uint64_t>> SizeOf(const Oid& commit,
                                              std::string_view path) const override {
    TRY(const auto entry, FileAt(commit, path));
    if (!entry) return std::optional<std::uint64_t>();
    TRY(const std::uint64_t bytes, BytesIn(entry, commit, path));
    return std::optional<std::uint64_t>(bytes);
  }

  Result<std::vector<TreeFile>> ListFiles(const Oid& commit,
                                          std::string_view folder) const override {
    const std::string name(folder);
    std::vector<TreeFile> out;
    TRY(Tree sub, TreeOf(commit));
    if (!name.empty()) {
      TRY(const auto entry, EntryAt(commit, name));
      if (!entry || git_tree_entry_type(entry.get()) != GIT_OBJECT_TREE) return out;
      TRY(sub, FolderAt(entry.get(), 0));
    }
    Walking walking{
        commit, [&](const std::string& parent, const git_tree_entry* at) {
          if (git_tree_entry_type(at) == GIT_OBJECT_BLOB)
            out.push_back({parent + git_tree_entry_name(at), Hex(git_tree_entry_id(at))});
          return true;
        }};
    TRY(Walk(sub.get(), walking));
    std::sort(out.begin(), out.end(),
              [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; });
    return out;
  }

  Result<std::optional<std::uint32_t>> ModeOf(const Oid& commit,
                                              std::string_view path) const override {
    TRY(const auto entry, EntryAt(commit, std::string(path)));
    if (!entry) return std::optional<std::uint32_t>();
    return std::optional(static_cast<std::uint32_t>(git_tree_entry_filemode_raw(entry.get())));
  }

  Result<std::vector<Found>> FilesNamed(const std::vector<Oid>& commits,
                                        const WantedName& wanted) const override {
    std::vector<Found> out;
    std::set<std::string> seen;  // many branches share the same folders and files
    std::map<std::string, Below> known;
    for (const Oid& commit : commits) {
      TRY(auto tree, TreeOf(commit));
      TRY(const Below all, LookBelow(tree.get(), wanted, known));
      if (!all.named) continue;
      const auto visit = [&](const std::string& parent, const git_tree_entry* at) -> Result<bool> {
        const bool folder = git_tree_entry_type(at) == GIT_OBJECT_TREE;
        if (folder ? !known[Hex(git_tree_entry_id(at))].named : !wanted(git_tree_entry_name(at)))
          return false;
        TreeFile file{parent + git_tree_entry_name(at), Hex(git_tree_entry_id(at))};
        if (!seen.insert(file.id + file.path).second) return false;
        if (folder) return true;
        if (out.size() == kMostFound)
          return Error{Exit::Environment,
                       fmt::format("{} has more than {} files named {}", commit.substr(0, 10),
                                   kMostFound, git_tree_entry_name(at)),
                       ""};
        out.push_back({std::move(file), commit});
        return false;
      };
      Walking walking{commit, visit};
      TRY(Walk(tree.get(), walking));
    }
    return out;
  }

  Result<base::Done> CheckPaths(const Oid& commit) const override {
    TRY(const auto tree, TreeOf(commit));
    TRY(const Below all, LookBelow(tree.get(), nullptr, counted_));
    if (all.bytes > kMostBytes) return TooManyPaths(commit);
    return base::Done{};
  }

  Result<CommitInfo> ReadCommit(const Oid& id) const override {
    TRY(auto commit, Lookup(id));
    const char* const encoding = git_commit_message_encoding(commit.get());
    if (encoding != nullptr && base::Lower(encoding) != "utf-8") return CommitOfGit(id);
    CommitInfo out;
    out.id = id;
    for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i) {
      out.parents.push_back(Hex(git_commit_parent_id(commit.get(), i)));
    }
    const git_signature* author = git_commit_author(commit.get());
    out.author = {author->name, author->email};
    out.time = author->when.time;
    const git_signature* committer = git_commit_committer(commit.get());
    out.committer = {committer->name, committer->email};
    out.message = git_commit_message(commit.get());
    return out;
  }

  Result<std::optional<Oid>> MergeBase(const Oid& one, const Oid& two) const override {
    git_oid a, b, base;
    if (git_oid_fromstr(&a, one.c_str()) != 0 || git_oid_fromstr(&b, two.c_str()) != 0)
      return Failed("not an object name");
    // If the search reaches the boundary of a shallow clone, libgit2 leaks its queue.
    const UncountedLeaks queue;
    // In a shallow clone, git ignores all parents of the boundary commits. libgit2 would follow a
    // parent that the clone happens to have.
    TRY(const bool shallow, IsShallow());
    if (shallow) return MergeBaseOfGit(one, two);
    const int code = git_merge_base(&base, raw(), &a, &b);
    if (code == 0) return std::optional<Oid>(Hex(&base));
    if (code == GIT_ENOTFOUND) return std::optional<Oid>();
    return Failed(fmt::format("cannot find the merge base of {} and {}", one.substr(0, 10),
                              two.substr(0, 10)));
  }

  Result<std::vector<CommitParents>> CommitsSince(const Oid& known, const Oid& tip) const override {
    std::vector<CommitParents> out;
    if (known == tip) return out;
    // In a shallow clone, libgit2 would try to follow parents that the clone lacks.
    TRY(const bool shallow, IsShallow());
    if (shallow) return CommitsSinceOfGit(known, tip);
    git_oid old, young, id;
    git_revwalk* made = nullptr;
    if (git_oid_fromstr(&old, known.c_str()) != 0 || git_oid_fromstr(&young, tip.c_str()) != 0 ||
        git_revwalk_new(&made, raw()) != 0)
      return Failed("cannot list commits");
    const RevWalk walk(made);
    if (git_revwalk_push(walk.get(), &young) != 0 || git_revwalk_hide(walk.get(), &old) != 0)
      return Failed("cannot list commits");
    int code = 0;
    while ((code = git_revwalk_next(&id, walk.get())) == 0) {
      TRY(auto commit, Lookup(Hex(&id)));
      CommitParents& one = out.emplace_back(CommitParents{Hex(&id), {}});
      for (unsigned i = 0; i < git_commit_parentcount(commit.get()); ++i)
        one.parents.push_back(Hex(git_commit_parent_id(commit.get(), i)));
    }
    if (code != GIT_ITEROVER) return Failed("cannot list commits");
    return out;
  }

  Result<bool> IsAncestor(const Oid& old, const Oid& young) const override {
    if (old == young) return true;
    git_oid a, b;
    if (git_oid_fromstr(&a, old.c_str()) != 0 || git_oid_fromstr(&b, young.c_str()) != 0)
      return Failed("not an object name");
    // libgit2 fails when it reaches the missing parents in a shallow clone, and then leaks its
    // queue.
    const UncountedLeaks queue;
    int code = git_graph_descendant_of(raw(), &b, &a);
    return code < 0 ? AncestorOfGit(old, young) : Result<bool>(code == 1);
  }

  Result<std::optional<std::string>> ConfigValue(const std::string& key) const override {
    if (git_knows_more_) return ConfigOfGit(key);
    git_config* raw_config = nullptr;
    if (git_repository_config_snapshot(&raw_config, raw()) != 0)
      return Failed("cannot read git's configuration");
    GitConfig config(raw_config);
    const char* value = nullptr;
    int code = git_config_get_string(&value, config.get(), key.c_str());
    if (code == GIT_ENOTFOUND) return std::optional<std::string>();
    if (code != 0) return Failed(fmt::format("cannot read git config {}", key));
    return std::optional<std::string>(value);
  }

  Result<std::optional<std::string>> HeadBranch() const override {
    git_reference* raw_head = nullptr;
    if (git_reference_lookup(&raw_head, raw(), "HEAD") != 0) return Failed("cannot read HEAD");
    Reference head(raw_head);
    if (git_reference_type(head.get()) != GIT_REFERENCE_SYMBOLIC)
      return std::optional<std::string>();
    const std::string target = git_reference_symbolic_target(head.get());
    constexpr std::string_view kHeads = "refs/heads/";
    return std::optional<std::string>(target.starts_with(kHeads) ? target.substr(kHeads.size())
                                                                 : target);
  }

  Result<Oid> WriteCommit(const NewCommit& wanted) override {
    git_treebuilder* raw_builder = nullptr;
    if (git_treebuilder_new(&raw_builder, raw(), nullptr) != 0)
      return Failed("cannot build a tree");
    TreeBuilder builder(raw_builder);
    for (const auto& [name, content] : wanted.files) {
      git_oid blob;
      if (git_blob_create_from_buffer(&blob, raw(), content.data(), content.size()) != 0 ||
          git_treebuilder_insert(nullptr, builder.get(), name.c_str(), &blob, GIT_FILEMODE_BLOB) !=
              0) {
        return Failed("cannot store " + name);
      }
    }
    git_oid tree_id;
    if (git_treebuilder_write(&tree_id, builder.get()) != 0) return Failed("cannot store a tree");
    git_tree* raw_tree = nullptr;
    if (git_tree_lookup(&raw_tree, raw(), &tree_id) != 0) return Failed("cannot read back a tree");
    Tree tree(raw_tree);
    git_signature* raw_signature = nullptr;
    if (git_signature_now(&raw_signature, wanted.author.name.c_str(),
                          wanted.author.email.c_str()) != 0) {
      return Failed("git rejects the name " + wanted.author.Text());
    }
    Signature signature(raw_signature);
    Commit parent;
    if (wanted.parent) {
      TRY(parent, Lookup(*wanted.parent));
    }
    const git_commit* parents[] = {parent.get()};
    git_oid id;
    if (git_commit_create(&id, raw(), nullptr, signature.get(), signature.get(), "UTF-8",
                          wanted.message.c_str(), tree.get(), parent ? 1U : 0U, parents) != 0) {
      return Failed("cannot store a commit");
    }
    return Hex(&id);
  }

  Result<bool> UpdateRef(const std::string& ref, const Oid& id,
                         const std::optional<Oid>& old) override {
    git_oid target, expected;
    if (git_oid_fromstr(&target, id.c_str()) != 0) return Failed("not an object name");
    if (old && git_oid_fromstr(&expected, old->c_str()) != 0) return Failed("not an object name");
    git_transaction* raw_transaction = nullptr;
    if (git_transaction_new(&raw_transaction, raw()) != 0) return Failed("cannot move " + ref);
    Transaction transaction(raw_transaction);
    int code = git_transaction_lock_ref(transaction.get(), ref.c_str());
    if (code == GIT_ELOCKED) return false;
    if (code != 0) return Failed("cannot lock " + ref);
    // Compare while holding the lock. git_reference_create() compares before it locks, so if two
    // processes created the same ref, both would succeed.
    git_oid now;
    code = git_reference_name_to_id(&now, raw(), ref.c_str());
    if (code != 0 && code != GIT_ENOTFOUND) return Failed("cannot read " + ref);
    const bool exists = code == 0;
    if (exists != old.has_value() || (exists && !git_oid_equal(&now, &expected))) return false;
    if (git_transaction_set_target(transaction.get(), ref.c_str(), &target, nullptr, "revctl") !=
            0 ||
        git_transaction_commit(transaction.get()) != 0) {
      return Failed("cannot move " + ref);
    }
    return true;
  }

  Result<base::Done> DeleteRef(const std::string& ref) override {
    git_reference* raw_reference = nullptr;
    int code = git_reference_lookup(&raw_reference, raw(), ref.c_str());
    if (code == GIT_ENOTFOUND) return base::Done{};
    Reference reference(raw_reference);
    if (code != 0 || git_reference_delete(reference.get()) != 0)
      return Failed("cannot delete " + ref);
    return base::Done{};
  }

  Result<std::string> Normalized(const std::string& path, const std::string& bytes) const override {
    if (bare()) return bytes;
    git_filter_list* raw_filters = nullptr;
    if (git_filter_list_load(&raw_filters, raw(), nullptr, path.c_str(), GIT_FILTER_TO_ODB,
                             GIT_FILTER_DEFAULT) != 0) {
      return Failed(fmt::format("cannot read the git filters for {}", path));
    }
    Filters filters(raw_filters);
    if (!filters) return bytes;
    Buffer out;
    if (git_filter_list_apply_to_buffer(out.get(), filters.get(), bytes.data(), bytes.size()) !=
        0) {
      return Failed(fmt::format("git filters failed for {}", path));
    }
    return out.text();
  }

  Result<Oid> BlobId(const std::string& bytes) const override {
    git_oid id;
    if (git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) != 0)
      return Failed("git returned no hash");
    return Hex(&id);
  }

 private:
  git_repository* raw() const { return repository_.get(); }

  /// Returns the index, or null if libgit2 cannot read it.
  Index OpenIndex() const {
    // In a hook of `git commit -a` or `git commit FILE`, git sets a temporary index.
    const char* const named = std::getenv("GIT_INDEX_FILE");
    const std::filesystem::path file = named == nullptr ? std::filesystem::path(git_dir_) / "index"
                                                        : std::filesystem::path(root_) / named;
    git_index* index = nullptr;
    return Index(git_index_open(&index, file.generic_string().c_str()) == 0 ? index : nullptr);
  }

  /// Returns the status letter for ChangesHere(), or a blank if ChangesHere() ignores the change.
  static char StatusOf(const git_diff_delta& delta, git_index* index, bool staged) {
    const bool same = git_oid_equal(&delta.old_file.id, &delta.new_file.id) != 0;
    switch (delta.status) {
      case GIT_DELTA_UNMODIFIED:
      case GIT_DELTA_ADDED:
      case GIT_DELTA_UNTRACKED:
      case GIT_DELTA_IGNORED:
        return ' ';
      case GIT_DELTA_MODIFIED:
        return same ? ' ' : 'M';  // same content, so only the executable bit changed
      case GIT_DELTA_TYPECHANGE:
        return 'T';
      case GIT_DELTA_DELETED: {
        // libgit2 reports files outside a sparse checkout as deleted, so check them in the index.
        const git_index_entry* const entry = git_index_get_bypath(index, delta.old_file.path, 0);
        if (staged || entry == nullptr ||
            (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) == 0)
          return 'D';
        return git_oid_equal(&entry->id, &delta.old_file.id) != 0 ? ' ' : 'M';
      }
      default:
        return 'U';
    }
  }

  /// Returns the entry at `path`, or null if there is none.
  Result<TreeEntry> EntryAt(const Oid& commit, const std::string& path) const {
    TRY(const auto tree, TreeOf(commit));
    git_tree_entry* entry = nullptr;
    const int code = git_tree_entry_bypath(&entry, tree.get(), path.c_str());
    if (code != 0 && code != GIT_ENOTFOUND)
      return Failed(fmt::format("cannot find {} at {}", path, commit.substr(0, 10)));
    return TreeEntry(entry);
  }

  /// Returns the entry of the file or link at `path`, or null if the commit has neither there.
  Result<TreeEntry> FileAt(const Oid& commit, std::string_view path) const {
    TRY(auto entry, EntryAt(commit, std::string(path)));
    if (entry && git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB) entry.reset();
    return entry;
  }

  /// Returns the size of a file in bytes without reading it.
  Result<std::uint64_t> BytesIn(const TreeEntry& file, const Oid& commit,
                                std::string_view path) const {
    git_odb* raw_odb = nullptr;
    std::size_t bytes = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    const int code = git_repository_odb(&raw_odb, raw());
    const std::unique_ptr<git_odb, FreeWith<git_odb_free>> odb(raw_odb);
    const git_oid* const id = git_tree_entry_id(file.get());
    if (code != 0 || git_odb_read_header(&bytes, &type, raw_odb, id) != 0)
      return Failed(fmt::format("cannot read {} at {}", path, commit.substr(0, 10)));
    return std::uint64_t{bytes};
  }

  Result<std::optional<Oid>> Peeled(const std::string& what) const {
    git_object* raw_object = nullptr;
    int code = git_revparse_single(&raw_object, raw(), what.c_str());
    if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC || code == GIT_EUNBORNBRANCH)
      return std::optional<Oid>();
    if (code != 0) return Failed("cannot read " + what);
    Object object(raw_object);
    git_object* raw_commit = nullptr;
    if (git_object_peel(&raw_commit, object.get(), GIT_OBJECT_COMMIT) != 0)
      return std::optional<Oid>();
    Object commit(raw_commit);
    return std::optional<Oid>(Hex(git_object_id(commit.get())));
  }

  Result<Commit> Lookup(const Oid& id) const {
    git_oid oid;
    git_commit* commit = nullptr;
    if (git_oid_fromstr(&oid, id.c_str()) != 0 || git_commit_lookup(&commit, raw(), &oid) != 0) {
      return Failed(fmt::format("cannot read commit {}", id.substr(0, 10)));
    }
    return Commit(commit);
  }

  Result<Tree> TreeOf(const Oid& id) const {
    TRY(auto commit, Lookup(id));
    git_tree* tree = nullptr;
    if (git_commit_tree(&tree, commit.get()) != 0)
      return Failed(fmt::format("cannot read the tree of {}", id.substr(0, 10)));
    return Tree(tree);
  }

  static constexpr std::size_t kDeepest = 1000, kMostFound = 10'000;

  Result<Tree> FolderAt(const git_tree_entry* entry, std::size_t depth) const {
    const std::string name = git_tree_entry_name(entry);
    if (depth == kDeepest)
      return Error{Exit::Environment, "folders are nested too deeply: " + name.substr(0, 100), ""};
    git_tree* tree = nullptr;
    if (git_tree_lookup(&tree, raw(), git_tree_entry_id(entry)) != 0)
      return Failed("cannot list the folder " + name);
    return Tree(tree);
  }

  struct Walking {
    const Oid& commit;
    /// Called for each entry with the path of its folder. If it returns false for a folder, the
    /// walk skips that folder's content.
    std::function<Result<bool>(const std::string& parent, const git_tree_entry*)> visit;
    std::uint64_t bytes = 0;
  };

  Result<base::Done> Walk(const git_tree* tree, Walking& walking, const std::string& parent = "",
                          std::size_t depth = 0) const {
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* const entry = git_tree_entry_byindex(tree, i);
      TRY(const bool taken, walking.visit(parent, entry));
      if (!taken) continue;
      std::string path = parent + git_tree_entry_name(entry);
      walking.bytes += path.size() + 1;
      if (walking.bytes > kMostBytes) return TooManyPaths(walking.commit);
      if (git_tree_entry_type(entry) != GIT_OBJECT_TREE) continue;
      TRY(const auto folder, FolderAt(entry, depth));
      path += '/';
      TRY(Walk(folder.get(), walking, path, depth + 1));
    }
    return base::Done{};
  }

  /// Totals for everything in a folder and its subfolders.
  struct Below {
    std::uint64_t paths = 0, bytes = 0;  ///< capped at kMostBytes + 1
    bool named = false;                  ///< true if a file has a wanted name
  };

  /// Computes the totals for a tree. Visits each distinct folder once, even if many paths lead to
  /// it; `known` caches results.
  Result<Below> LookBelow(const git_tree* tree, const WantedName& wanted,
                          std::map<std::string, Below>& known, std::size_t depth = 0) const {
    Below sum;
    for (std::size_t i = 0; i < git_tree_entrycount(tree); ++i) {
      const git_tree_entry* const entry = git_tree_entry_byindex(tree, i);
      const std::string_view name = git_tree_entry_name(entry);
      Below below;
      if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
        const std::string id = Hex(git_tree_entry_id(entry));
        auto found = known.find(id);
        if (found == known.end()) {
          TRY(const auto folder, FolderAt(entry, depth));
          TRY(const Below looked, LookBelow(folder.get(), wanted, known, depth + 1));
          found = known.emplace(id, looked).first;
        }
        below = found->second;
      } else {
        below.named = wanted && wanted(name);
      }
      ++below.paths;
      below.bytes += below.paths * (name.size() + 1);
      sum.paths = std::min(sum.paths + below.paths, kMostBytes + 1);
      sum.bytes = std::min(sum.bytes + below.bytes, kMostBytes + 1);
      sum.named |= below.named;
    }
    return sum;
  }

  mutable std::map<std::string, Below> counted_;  ///< caches results of CheckPaths
  Handle repository_;
  bool git_knows_more_;  ///< true if libgit2 does not see part of the configuration
};

/// True if the variable is set to a value that git treats as true: anything except "", "0",
/// "false", "no" and "off".
bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return false;
  for (const char* no : {"", "0", "false", "no", "off"}) {
    if (base::Lower(value) == no) return false;
  }
  return true;
}

/// Applies GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM and GIT_CONFIG_NOSYSTEM, which libgit2 1.5 ignores.
/// Like git, fails if such a file cannot be read.
Result<base::Done> TakeFilesOfEnvironment(git_repository* repository) {
  const char* global = std::getenv("GIT_CONFIG_GLOBAL");
  const char* system = IsSet("GIT_CONFIG_NOSYSTEM") ? "" : std::getenv("GIT_CONFIG_SYSTEM");
  if (global == nullptr && system == nullptr) return base::Done{};
  git_config* raw_config = nullptr;
  if (git_repository_config(&raw_config, repository) != 0)
    return Failed("cannot read git's configuration");
  GitConfig config(raw_config);
  // libgit2 treats a missing file as empty. A path below a regular file is missing on every system.
  const std::string none = git_repository_path(repository) + std::string("HEAD/none");
  const auto replace = [&](const char* file, git_config_level_t level) {
    std::error_code error;
    const bool there = *file != '\0' && std::filesystem::exists(file, error);
    return git_config_add_file_ondisk(config.get(), there ? file : none.c_str(), level, repository,
                                      1) == 0;
  };
  const bool read = (global == nullptr || (replace(global, GIT_CONFIG_LEVEL_GLOBAL) &&
                                           replace(none.c_str(), GIT_CONFIG_LEVEL_XDG))) &&
                    (system == nullptr || replace(system, GIT_CONFIG_LEVEL_SYSTEM));
  if (!read) return Failed("cannot read git's configuration");
  return base::Done{};
}

/// Returns why libgit2 cannot fully read this repository, or "" if it can. Sets `git_knows_more` if
/// libgit2 can read everything but some configuration values.
std::string OnlyForGit(git_repository* repository, bool& git_knows_more) {
  git_knows_more =
      std::getenv("GIT_CONFIG_COUNT") != nullptr || std::getenv("GIT_CONFIG_PARAMETERS") != nullptr;
  git_config* raw_config = nullptr;
  if (git_repository_config_snapshot(&raw_config, repository) != 0) return "";
  GitConfig config(raw_config);
  auto is_set = [&](const char* key) {
    int value = 0;
    return git_config_get_bool(&value, config.get(), key) == 0 && value != 0;
  };
  // libgit2 ignores config.worktree, which may, for example, make the index sparse.
  std::error_code error;
  if (is_set("extensions.worktreeconfig") &&
      std::filesystem::exists(std::string(git_repository_path(repository)) + "config.worktree",
                              error)) {
    return "a separate configuration for this work tree";
  }
  if (is_set("index.sparse")) return "a sparse index";
  // A partial clone fetches missing objects on demand. Iterate without a regular expression,
  // because libgit2 1.5 leaks a regular expression that does not match (libgit2 pull request 6382).
  git_config_iterator* raw_iterator = nullptr;
  if (git_config_iterator_new(&raw_iterator, config.get()) != 0) return "";
  std::unique_ptr<git_config_iterator, FreeWith<git_config_iterator_free>> iterator(raw_iterator);
  git_config_entry* entry = nullptr;
  while (git_config_next(&entry, iterator.get()) == 0) {
    const std::string_view name = entry->name;
    if (name.starts_with("remote.") &&
        (name.ends_with(".promisor") || name.ends_with(".partialclonefilter")))
      return "a partial clone";
    if (name.starts_with("includeif.hasconfig:")) git_knows_more = true;
  }
  return "";
}

}  // namespace

Library::Library() {
  git_libgit2_init();
  // Like git, do not verify the hash of a blob when reading it; zlib's checksum detects damage.
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
  // Cache trees of up to 16 MiB (the default is 4 KiB), so that a folder with ten thousand files is
  // not unpacked again for each of its files.
  git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, std::size_t{16} << 20);
}
Library::~Library() { git_libgit2_shutdown(); }

std::variant<std::unique_ptr<Repository>, NotOpened> OpenWithLibgit2(const std::string& directory) {
  const unsigned flags =
      std::getenv("GIT_DIR") != nullptr ? static_cast<unsigned>(GIT_REPOSITORY_OPEN_FROM_ENV) : 0U;
  git_repository* raw = nullptr;
  int code = 0;
  {
    // libgit2 1.5 leaks a regular expression that does not match (libgit2 pull request 6382).
    const UncountedLeaks match_data;
    code = git_repository_open_ext(&raw, flags == 0 ? directory.c_str() : nullptr, flags,
                                   std::getenv("GIT_CEILING_DIRECTORIES"));
  }
  if (code != 0) return NotOpened{LastError()};
  Handle handle(raw);
  if (auto taken = TakeFilesOfEnvironment(raw); !taken.ok())
    return NotOpened{taken.error().message};
  bool git_knows_more = false;
  if (std::string reason = OnlyForGit(raw, git_knows_more); !reason.empty())
    return NotOpened{std::move(reason)};
  return std::unique_ptr<Repository>(
      std::make_unique<Libgit2Repository>(std::move(handle), git_knows_more));
}

Result<TextMergeResult> TextMerge(std::string_view base, std::string_view ours,
                                  std::string_view theirs, const TextMergeLabels& labels) {
  auto input = [](std::string_view text) {
    git_merge_file_input out{};
    git_merge_file_input_init(&out, GIT_MERGE_FILE_INPUT_VERSION);
    out.ptr = text.data() == nullptr ? "" : text.data();
    out.size = text.size();
    return out;
  };
  const git_merge_file_input ancestor = input(base), our = input(ours), their = input(theirs);
  git_merge_file_options options{};
  git_merge_file_options_init(&options, GIT_MERGE_FILE_OPTIONS_VERSION);
  options.our_label = labels.ours.c_str();
  options.their_label = labels.theirs.c_str();
  options.marker_size = static_cast<unsigned short>(std::clamp(labels.marker_size, 1, 1000));
  git_merge_file_result merged{};
  if (git_merge_file(&merged, &ancestor, &our, &their, &options) != 0)
    return Failed("the text merge failed");
  TextMergeResult out;
  if (merged.ptr != nullptr) out.text.assign(merged.ptr, merged.len);
  out.conflict = merged.automergeable == 0;
  git_merge_file_result_free(&merged);
  return out;
}

Result<std::string> TextDiff(const std::string& path, const std::optional<std::string>& before,
                             const std::optional<std::string>& after) {
  if (before == after) return std::string();
  const auto data = [](const std::optional<std::string>& text) {
    return text ? text->c_str() : nullptr;
  };
  git_patch* raw = nullptr;
  const int code =
      git_patch_from_buffers(&raw, data(before), before ? before->size() : 0, path.c_str(),
                             data(after), after ? after->size() : 0, path.c_str(), nullptr);
  const std::unique_ptr<git_patch, FreeWith<git_patch_free>> patch(raw);
  Buffer text;
  if (code != 0 || git_patch_to_buf(text.get(), raw) != 0)
    return Failed("cannot compare the two versions");
  return text.text();
}

}  // namespace revctl::git
