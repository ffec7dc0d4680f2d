// Runs this library at the newest revision and at an old revision.
#include <revctl/serialize.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "include/bench/contender.h"

// clang-format off: needs the model, which is included above
#include "include/bench/bodies.inc"
// clang-format on

/// The name of this contender. ci/bench may also compile this file against the headers of an older
/// commit, with a different name.
#ifndef REVCTL_BENCH_NAME
#define REVCTL_BENCH_NAME "revctl"
#endif

namespace {

struct Output {
  std::unique_ptr<revctl::Writer> writer;
};

template <bool newest>
struct Ours : ModelContender<Ours<newest>, Output> {
  static constexpr const char* kName = newest ? REVCTL_BENCH_NAME : REVCTL_BENCH_NAME "@old";
  /// Volatile to keep the compiler from treating the revision as a constant.
  static inline volatile u32 revision = newest ? kRevNewest : kRevOld;

  template <class World>
  static std::size_t Write(const World& world, Output& output) {
    if (!output.writer)
      output.writer = std::make_unique<revctl::Writer>(static_cast<u32>(revision));
    output.writer->Clear();
    Serialize(*output.writer, world);
    return output.writer->Bytes().size();
  }
  template <class World>
  static void Read(World& world, const Output& output, std::size_t size) {
    revctl::Reader reader(output.writer->Bytes().first(size), static_cast<u32>(revision));
    Serialize(reader, world);
    if (!reader.AtEnd()) std::abort();
  }
  /// Some fields are not saved at an old revision, so compare only the saved fields.
  template <class World>
  static bool Same(const World& a, const World& b) {
    if (newest) return a == b;
    Output x, y;
    const std::size_t size = Write(a, x);
    return size == Write(b, y) &&
           std::memcmp(x.writer->Bytes().data(), y.writer->Bytes().data(), size) == 0;
  }
};

Registry newest(new Ours<true>), old(new Ours<false>);

}  // namespace
