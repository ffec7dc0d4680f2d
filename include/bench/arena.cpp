// The pointer-rich workloads, using std::pmr containers. Compares reading into an arena with a deep
// copy into the same arena. The arena keeps its memory between rounds, because other contenders
// also reuse their buffers.
#include <revctl/serialize.h>

#include <cstdlib>
#include <memory_resource>
#include <optional>

#include "include/bench/contender.h"

namespace pmr_model {

using String = std::pmr::string;
template <class T>
using Vector = std::pmr::vector<T>;
template <class K, class V>
using Map = std::pmr::map<K, V>;
// clang-format off
#include "include/bench/model_types.inc"
#include "include/bench/bodies.inc"
// clang-format on

}  // namespace pmr_model

// Bodies for the types of the ordinary model, which the benchmark copies to the types in pmr_model.
#include "include/bench/bodies.inc"
// clang-format on

namespace {

void Convert(const Level& from, revctl::Writer& bytes) {
  bytes.Clear();
  Serialize(bytes, from);
}

class InArena : public Contender {
 public:
  bool supports(WorkloadId id) const override { return id == W_LEVEL || id == W_THINGS; }
  void prepare(WorkloadId id, Worlds& worlds) override {
    Convert(id == W_LEVEL ? worlds.level : worlds.things, writer_);
    from_.emplace();
    revctl::Reader r(writer_.Bytes(), kRevNewest);
    Serialize(r, *from_);
    if (!r.AtEnd()) std::abort();
    // Touch the pages now to keep page faults out of the measurements.
    memory_.assign(8 * writer_.Bytes().size() + (1 << 20), std::byte{1});
  }
  std::size_t write(WorkloadId, Worlds&) override {
    writer_.Clear();
    Serialize(writer_, *from_);
    return writer_.Bytes().size();
  }
  void reset(WorkloadId, bool) override {
    // No object in the arena needs a destructor, so its memory is freed in one step.
    arena_.emplace(memory_.data(), memory_.size(), std::pmr::null_memory_resource());
    ::new (target_) pmr_model::Level();
  }
  bool verify(WorkloadId, Worlds&) override { return Target() == *from_; }
  void drop(WorkloadId) override {
    from_.reset();
    arena_.reset();
    memory_ = {};
  }

 protected:
  pmr_model::Level& Target() { return *std::launder(reinterpret_cast<pmr_model::Level*>(target_)); }
  revctl::Writer writer_{kRevNewest};
  std::optional<pmr_model::Level> from_;
  std::optional<std::pmr::monotonic_buffer_resource> arena_;
  std::vector<std::byte> memory_;
  alignas(pmr_model::Level) std::byte target_[sizeof(pmr_model::Level)];
};

struct Ours : InArena {
  const char* name() const override { return "revctl, arena"; }
  void read(WorkloadId) override {
    revctl::Reader r(writer_.Bytes(), kRevNewest, {.resource = &*arena_});
    Serialize(r, Target());
    if (!r.AtEnd()) std::abort();
  }
};
struct Copy : InArena {
  const char* name() const override { return "~deepcopy, arena"; }
  void read(WorkloadId) override {
    // Copies of a std::pmr container allocate from the default resource.
    std::pmr::memory_resource* const before = std::pmr::set_default_resource(&*arena_);
    ::new (target_) pmr_model::Level(*from_);
    std::pmr::set_default_resource(before);
  }
};
Registry ours(new Ours), copy(new Copy);

}  // namespace
