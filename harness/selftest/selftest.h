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

/// The signals that can notice mutations of recorded data. The others only check today's code.
enum class Seen : std::uint8_t { Layout, Bytes, Value, Upgrade };
inline constexpr Seen kSeen[] = {Seen::Layout, Seen::Bytes, Seen::Value, Seen::Upgrade};
const char* Name(Seen signal);

/// Results of each mutation at each place (`Player.name`). A place is protected by a signal if the
/// signal notices the mutation in at least one golden at one revision.
class SelfTestTable {
 public:
  void Note(const std::string& mutation, const std::string& place, Seen signal, bool caught);

  /// Serializes the table for a pipe between processes of the same program.
  std::string Pack() const;
  /// Adds the results of a packed table. Returns false if the bytes are invalid.
  bool Join(const std::string& packed);

  struct Cell {
    std::size_t places = 0, caught = 0;
  };
  struct Row {
    std::string mutation;
    std::map<Seen, Cell> signals;
    Cell any;
    std::vector<std::string> missed;  ///< places not protected by any signal
  };
  /// Returns one row per mutation, in the order of the taxonomy.
  std::vector<Row> Rows() const;

 private:
  std::map<std::string, std::map<std::string, std::map<Seen, bool>>> places_;
};

/// Names of the mutations: changes that people make to a Serialize without a revision.
/// docs/guide/harness.md describes their effects on the record.
extern const std::vector<std::string> kTaxonomy;

struct SelfTestOptions {
  std::uint64_t seed = 1;
  std::string type;              ///< only this root type; empty: all
  std::size_t most_goldens = 4;  ///< per type and revision
  Renames renames{};             ///< approved renames
};

struct SelfTestResult {
  SelfTestTable table;
  /// Crashes: `Score: mutation ... (signal 6)`.
  std::vector<std::string> crashes;
};

/// Applies every mutation to the recorded data in memory and runs the signals. Uses child
/// processes, because bodies read damaged data: a mutation that crashes one counts as noticed, and
/// the others continue.
SelfTestResult SelfTest(const Registry& registry, const History& history,
                        const SelfTestOptions& options);

/// Mutates layouts and enums, as recorded at each revision.
void MutateLayouts(const RootType& root, const History& history, const SelfTestOptions& options,
                   SelfTestTable& table);
/// Mutates upgrades of older goldens, as if other code had made them.
void MutateUpgrades(const RootType& root, const History& history, const Golden& golden,
                    SelfTestTable& table);
/// Mutates payloads and values, as if other code had written them.
void MutatePayload(const RootType& root, const History& history, const Golden& golden,
                   SelfTestTable& table);

/// Returns `root` and all record types that it reaches at a revision, as recorded.
std::vector<std::string> Reached(const std::string& root, const History& history,
                                 std::size_t index);

/// Returns the record type and field of a path: `Player.name` for `players[1].name`.
std::string PlaceOf(const RootType& root, const History& history, std::size_t revision,
                    const std::string& path);

}  // namespace revctl::harness
