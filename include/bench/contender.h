#pragma once
// The registry of contenders, and a base class for libraries that work directly on the model's
// structs.
#include <cstring>
#include <memory>
#include <span>

#include "include/bench/model.h"

/// A library in the benchmark. Only write() and read() are timed.
struct Contender {
  virtual ~Contender() = default;
  virtual const char* name() const = 0;
  virtual bool supports(WorkloadId) const { return true; }
  /// Converts the data to the contender's own model.
  virtual void prepare(WorkloadId, Worlds&) {}
  /// Encodes the data into a buffer that the contender reuses. Returns the number of bytes.
  virtual size_t write(WorkloadId, Worlds&) = 0;
  /// Prepares the target for read(). Destroys it if `fresh`; otherwise keeps it, to reuse its
  /// capacity.
  virtual void reset(WorkloadId, bool fresh) = 0;
  virtual void read(WorkloadId) = 0;
  virtual bool verify(WorkloadId, Worlds&) = 0;
  virtual void drop(WorkloadId) {}
  /// Returns the number of bytes used to compute the contender's speed: the size in our format, or
  /// in the contender's own format if it saves different data (an old revision).
  virtual size_t charged(size_t ours, size_t own) const {
    return strchr(name(), '@') != nullptr ? own : ours;
  }
};

struct Registry {
  static std::vector<std::unique_ptr<Contender>>& all() {
    static std::vector<std::unique_ptr<Contender>> v;
    return v;
  }
  explicit Registry(Contender* c) { all().emplace_back(c); }
};

// Impl has static const char* kName, template <W> static size_t Write(const W&, Buffer&) and
// template <W> static void Read(W&, const Buffer&, size_t). Impl may also define template <W>
// static bool Same(const W&, const W&) to replace operator==, which contenders at the old revision
// need, because fields with closed gates are not saved.
template <class Impl, class Buffer = std::vector<u8>>
struct ModelContender : Contender {
  Worlds target;
  Buffer buf[W_COUNT];
  size_t size[W_COUNT] = {};
  const char* name() const override { return Impl::kName; }
  size_t write(WorkloadId id, Worlds& w) override {
    return visit_world(w, id, [&](auto& x) { return size[id] = Impl::Write(x, buf[id]); });
  }
  void reset(WorkloadId id, bool fresh) override {
    if (fresh)
      visit_world(target, id, [&](auto& x) { x = std::remove_reference_t<decltype(x)>{}; });
  }
  void read(WorkloadId id) override {
    visit_world(target, id, [&](auto& x) { Impl::Read(x, buf[id], size[id]); });
  }
  bool verify(WorkloadId id, Worlds& w) override {
    return visit_world(target, id, [&](auto& x) {
      return visit_world(w, id, [&](auto& y) -> bool {
        if constexpr (std::is_same_v<decltype(x), decltype(y)>) {
          if constexpr (requires { Impl::Same(x, y); }) return Impl::Same(x, y);
          else return x == y;
        } else return false;
      });
    });
  }
  void drop(WorkloadId id) override {
    reset(id, true);
    buf[id] = Buffer{};
  }
};

constexpr u32 kRevNewest = 30, kRevOld = 15;
