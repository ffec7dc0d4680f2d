#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/list_table.h>
#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// The data that jobs read. A forked child inherits it. A child that executes this program again
/// loads it: the types from its own registry, the goldens from their folder.
struct JobData {
  const Registry& registry;
  // null for jobs that need only types
  const revctl::ListTable* list = nullptr;
  const golden::Store* store = nullptr;
  const History* history = nullptr;
};

/// The data and arguments that a job's function receives.
struct JobInput : JobData {
  std::string_view arguments;     ///< the result of Pack()
  std::span<std::byte> memory{};  ///< memory that the parent sees, too
};

/// A function that runs in a child process. Each JobKind is a variable of static storage duration,
/// so that a started child finds it by its name. An empty answer means that a body ended the
/// process.
class JobKind {
 public:
  using Function = std::string (*)(const JobInput&);
  JobKind(const char* name, Function run);
  JobKind(const JobKind&) = delete;

  const char* name() const { return name_; }
  std::string Run(const JobInput& input) const { return run_(input); }
  /// Returns the kind with this name, or null if the name is unknown.
  static const JobKind* Find(std::string_view name);

 private:
  const char* name_;
  Function run_;
  const JobKind* next_;
};

/// A JobKind with arguments and limits, ready to run.
struct Job {
  const JobKind& kind;
  JobData data;
  std::string arguments{};
  std::set<std::string> left_out{};  ///< steps to skip, as noted by Progress
  unsigned core_seconds = 60;        ///< CPU time for one step; 0 means no limit
  std::size_t memory = kMostMemory;  ///< bytes that the child may allocate

  /// Default memory limit, which keeps a runaway body from exhausting the machine. 1 MiB goldens
  /// need far less.
  static constexpr std::size_t kMostMemory = std::size_t{4} << 30;
};

/// Serializes arguments and answers. This is not a file format: both sides are the same program.
template <class T>
std::string Pack(const T& value) {
  revctl::Writer writer(0);
  revctl::Serialize(writer, value);
  const auto bytes = writer.Bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Parses the result of Pack(). Returns false if the bytes are invalid or truncated.
template <class T>
bool Unpack(std::string_view bytes, T& value) {
  revctl::Reader reader(std::as_bytes(std::span(bytes.data(), bytes.size())), 0);
  revctl::Serialize(reader, value);
  return reader.Ok() && reader.AtEnd();
}

struct ChildNotes;

/// Runs the job in this process, which is a child.
std::string RunJob(const Job& job, ChildNotes& notes, std::span<std::byte> memory);

/// Serializes the job for a child that executes this program again.
std::string PackRequest(const Job& job);

/// True if the arguments of this program are those of a started child.
bool IsStartedJob(const std::vector<std::string>& words);
/// Runs the job of a started child and exits. The process also ends if the job throws an exception.
/// `registry` contains all types of the program.
[[noreturn]] void RunStartedJob(const std::vector<std::string>& words, Registry registry) noexcept;

}  // namespace revctl::harness
