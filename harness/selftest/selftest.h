#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// The signals that can catch a mutation of recorded data. All other signals check only the current
/// code.
enum class Seen : std::uint8_t { Layout, Bytes, Value, Upgrade };
inline constexpr Seen kSeen[] = {Seen::Layout, Seen::Bytes, Seen::Value, Seen::Upgrade};
const char* Name(Seen signal);

/// Records which signals catch each mutation at each place (such as `Player.name`). A signal
/// protects a place if it catches the mutation in at least one golden or layout.
class SelfTestTable {
 public:
  void Note(const std::string& mutation, const std::string& place, Seen signal, bool caught);

  /// Adds a place in a large golden whose mutations are caught, but only by findings that name a
  /// whole chunk of a list.
  void NoteByChunk(const std::string& place) { by_chunk_.insert(place); }
  const std::set<std::string>& by_chunk() const { return by_chunk_; }

  /// Serializes the table for a pipe between two processes of the same program.
  std::string Packed() const;
  /// Adds the results of a packed table. Returns false if the bytes are invalid.
  bool Join(const std::string& packed);

  struct Cell {
    std::size_t places = 0, caught = 0;
  };
  struct Row {
    std::string mutation;
    std::map<Seen, Cell> signals;
    Cell any;
    std::vector<std::string> missed;  ///< places that no signal protects against the mutation
  };
  /// Returns one row per mutation, in the order of the taxonomy.
  std::vector<Row> Rows() const;

 private:
  std::map<std::string, std::map<std::string, std::map<Seen, bool>>> places_;
  std::set<std::string> by_chunk_;
};

struct SelfTestOptions {
  std::uint64_t seed = 1;
  std::string type;              ///< the only root type to test; empty means all
  std::size_t most_goldens = 4;  ///< maximum number of goldens to use per type and revision
  Renames renames{};             ///< the store's approved renames; SelfTest() sets them
};

struct SelfTestResult {
  SelfTestTable table;
  /// Messages about crashed children, such as `Score: mutation ... (signal 6)`.
  std::vector<std::string> crashes;
};

/// Applies every mutation to an in-memory copy of the recorded data and runs the signals on it.
/// Runs in child processes, because bodies read damaged data. A mutation that crashes a body counts
/// as caught.
SelfTestResult SelfTest(const Registry& registry, const History& history,
                        const SelfTestOptions& options);

/// Mutates the recorded layouts and enums of each revision.
void MutateLayouts(const RootType& root, const History& history, const SelfTestOptions& options,
                   SelfTestTable& table);
/// Mutates the upgrades of older goldens, as if other code had made them.
void MutateUpgrades(const RootType& root, const History& history, const Golden& golden,
                    SelfTestTable& table);
/// Mutates payloads, as if other code had written them.
void MutatePayload(const RootType& root, const History& history, const Golden& golden,
                   SelfTestTable& table);

/// Like MutatePayload, but for a large golden. Reads the golden only a few times per place.
void MutateLarge(const RootType& root, const History& history, const Golden& golden,
                 const Renames& renames, SelfTestTable& table);

/// Returns `root` and all record types inside it, directly or indirectly, according to the layouts
/// at a revision.
std::vector<std::string> Reached(const std::string& root, const History& history,
                                 std::size_t index);

/// Returns the record type and the field of a path: `Player.name` for `players[1].name`.
std::string PlaceOf(const RootType& root, const History& history, std::size_t revision,
                    const std::string& path);

}  // namespace revctl::harness
