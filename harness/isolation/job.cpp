#include "harness/isolation/job.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

#include <revctl/detail/base/parse_number.h>

#include "harness/isolation/supervisor.h"
#include "harness/isolation/system_child.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {
namespace {

/// Returns the head of the linked list of job kinds, which static initializers add in any order.
const JobKind*& FirstKind() {
  static const JobKind* first = nullptr;
  return first;
}

struct RequestedRevision {
  std::string name;
  std::int64_t number = 0;
  std::uint64_t lineage = 0;
};
SERIALIZE_TYPE(RequestedRevision) {
  ADD(0, name);
  ADD(0, number);
  ADD(0, lineage);
}
SERIALIZE_END

/// The serializable form of a Job, for a child that shares no memory with this process.
struct Request {
  std::string kind, arguments;
  std::set<std::string> left_out;
  std::uint32_t core_seconds = 0;
  std::uint64_t memory = 0;
  std::set<std::string> types;
  bool reads_goldens = false;
  std::string list, folder;
  std::vector<RequestedRevision> revisions;
  std::int64_t oldest = 0;
  std::vector<std::string> forgotten;
};
SERIALIZE_TYPE(Request) {
  ADD(0, kind);
  ADD(0, arguments);
  ADD(0, left_out);
  ADD(0, core_seconds);
  ADD(0, memory);
  ADD(0, types);
  ADD(0, reads_goldens);
  ADD(0, list);
  ADD(0, folder);
  ADD(0, revisions);
  ADD(0, oldest);
  ADD(0, forgotten);
}
SERIALIZE_END

/// Limits the memory of this process. Sets `refused`, which must outlive the process, when an
/// allocation fails.
void LimitMemory(std::size_t most, std::atomic<bool>& refused) {
  LimitOwnMemory(most);
  static std::atomic<bool>* blamed = nullptr;
  blamed = &refused;
  std::set_new_handler([] {
    *blamed = true;
    std::set_new_handler(nullptr);
  });
}

constexpr char kStartedJob[] = "--isolated-job";
constexpr std::size_t kNumbers = 5;

/// The arguments after `--isolated-job`.
struct StartedJob {
  std::uint64_t answer = 0, request = 0, request_size = 0, memory = 0, memory_size = 0;
};

std::optional<StartedJob> Parse(const std::vector<std::string>& words) {
  std::uint64_t numbers[kNumbers] = {};
  if (words.size() != 1 + kNumbers) return std::nullopt;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    if (!revctl::detail::ParseNumber(words[i + 1], numbers[i])) return std::nullopt;
  }
  return StartedJob{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

/// Loads the data of a request, runs its job and returns the answer.
std::string Answer(const Request& request, const JobKind& kind, Registry registry,
                   const SharedBytes& memory) {
  std::erase_if(registry.types,
                [&](const RootType& root) { return !request.types.contains(root.name); });
  std::vector<revctl::ListEntry> entries;
  for (const RequestedRevision& revision : request.revisions)
    entries.push_back({revision.name, revision.number, revision.lineage});
  const revctl::ListTable list{request.list, entries, request.oldest};
  std::optional<golden::Store> store;
  std::optional<History> history;
  Job job{kind, {registry}, request.arguments};
  job.left_out = request.left_out;
  job.core_seconds = request.core_seconds;
  job.memory = static_cast<std::size_t>(request.memory);
  if (request.reads_goldens) {
    store = golden::Store::Open(request.folder);
    for (const std::string& name : request.forgotten) {
      store->Forget(name);
      store->ForgetAddition(name);
    }
    history.emplace(list, *store);
    job.data.list = &list;
    job.data.store = &*store;
    job.data.history = &*history;
  }
  const auto bytes = std::span(memory.get(), memory.size());
  return RunJob(job, *reinterpret_cast<ChildNotes*>(memory.get()),
                bytes.subspan(sizeof(ChildNotes)));
}

}  // namespace

JobKind::JobKind(const char* name, Function run)
    : name_(name), run_(run), next_(std::exchange(FirstKind(), this)) {}

const JobKind* JobKind::Find(std::string_view name) {
  const JobKind* kind = FirstKind();
  while (kind != nullptr && kind->name() != name) kind = kind->next_;
  return kind;
}

std::string RunJob(const Job& job, ChildNotes& notes, std::span<std::byte> memory) {
  Progress::Install(notes.text, job.left_out, job.core_seconds, &notes.done);
  CrashBreadcrumb::NoteIn(&notes.visit);
  LimitMemory(job.memory, notes.out_of_memory);
  return job.kind.Run({job.data, job.arguments, memory});
}

std::string PackRequest(const Job& job) {
  Request request;
  request.kind = job.kind.name();
  request.arguments = job.arguments;
  request.left_out = job.left_out;
  request.core_seconds = job.core_seconds;
  request.memory = job.memory;
  for (const RootType& root : job.data.registry.types) request.types.insert(root.name);
  const revctl::ListTable* list = job.data.list;
  const golden::Store* store = job.data.store;
  if (const History* history = job.data.history) {
    list = &history->list();
    store = &history->store();
  }
  request.reads_goldens = store != nullptr;
  if (store != nullptr) {
    request.folder = store->folder();
    request.forgotten = store->forgotten();
    request.list = list->name;
    request.oldest = list->oldest;
    for (const revctl::ListEntry& entry : list->entries)
      request.revisions.push_back({std::string(entry.name), entry.number, entry.lineage});
  }
  return Pack(request);
}

bool IsStartedJob(const std::vector<std::string>& words) {
  return !words.empty() && words.front() == kStartedJob;
}

void RunStartedJob(const std::vector<std::string>& words, Registry registry) noexcept {
  const auto started = Parse(words);
  if (!started) {
    std::fprintf(stderr, "error: %s is only for the harness's internal use\n", kStartedJob);
    std::exit(2);
  }
  Request request;
  bool known = false;
  {
    const SharedBytes bytes(started->request, static_cast<std::size_t>(started->request_size));
    known = bytes.get() != nullptr &&
            Unpack({reinterpret_cast<const char*>(bytes.get()), bytes.size()}, request);
  }
  const SharedBytes memory(started->memory, static_cast<std::size_t>(started->memory_size));
  const JobKind* const kind = JobKind::Find(request.kind);
  if (!known || memory.get() == nullptr || kind == nullptr) {
    std::fprintf(stderr, "error: cannot start the job `%s`\n", request.kind.c_str());
    std::exit(3);
  }
  AnswerAndExit(started->answer, Answer(request, *kind, std::move(registry), memory));
}

}  // namespace revctl::harness
