#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Signals that a mutation of the recorded side is shown to. The others look at today's code alone.
enum class Seen : std::uint8_t { Layout, Bytes, Value, Upgrade };
inline constexpr Seen kSeen[] = {Seen::Layout, Seen::Bytes, Seen::Value, Seen::Upgrade};
const char* Name(Seen signal);

/// What became of each mutation at each place (`Player.name`). A place counts as protected by a
/// signal as soon as one golden, at one revision, shows the mutation to it.
class SelfTestTable {
 public:
  void Note(const std::string& mutation, const std::string& place, Seen signal, bool caught);

  /// All of it as bytes, for a pipe between a program and itself.
  std::string Pack() const;
  /// Notes all that another one has; false where the bytes are none.
  bool Join(const std::string& packed);

  struct Cell {
    std::size_t places = 0, caught = 0;
  };
  struct Row {
    std::string mutation;
    std::map<Seen, Cell> signals;
    Cell any;
    std::vector<std::string> missed;  ///< places that no signal protects
  };
  /// One row a mutation, in the order of the taxonomy.
  std::vector<Row> Rows() const;

 private:
  std::map<std::string, std::map<std::string, std::map<Seen, bool>>> places_;
};

/// The taxonomy: what people do to a Serialize without a revision. docs/guide/harness.md says what
/// each does to the record.
extern const std::vector<std::string> kTaxonomy;

struct SelfTestOptions {
  std::uint64_t seed = 1;
  std::string type;              ///< this root type alone
  std::size_t most_goldens = 4;  ///< of each type and revision
  Renames renames{};             ///< approved ones
};

struct SelfTestResult {
  SelfTestTable table;
  /// What ended a process: `Score: mutation ... (signal 6)`.
  std::vector<std::string> crashes;
};

/// Applies every mutation to what is recorded, in memory, and asks the signals. In child processes,
/// since bodies read what was damaged on purpose: a mutation that ends one is noticed, at the
/// latest by that, and costs nothing but itself.
SelfTestResult SelfTest(const Registry& registry, const History& history,
                        const SelfTestOptions& options);

// The parts, one file each.

/// To layouts and enums, as each revision recorded them.
void MutateLayouts(const RootType& root, const History& history, const SelfTestOptions& options,
                   SelfTestTable& table);
/// To what older goldens become: as if other code upgraded them.
void MutateUpgrades(const RootType& root, const History& history, const Golden& golden,
                    SelfTestTable& table);
/// To payloads and values: as if other code had written them.
void MutatePayload(const RootType& root, const History& history, const Golden& golden,
                   SelfTestTable& table);

/// `root` and all record types that it reached at a revision, as recorded.
std::vector<std::string> Reached(const std::string& root, const History& history,
                                 std::size_t index);

/// The record type and field behind a path of a golden: `Player.name` of `players[1].name`.
std::string PlaceOf(const RootType& root, const History& history, std::size_t revision,
                    const std::string& path);

}  // namespace revctl::harness
