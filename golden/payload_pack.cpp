#include "golden/payload_pack.h"

#include <fmt/core.h>
#define XXH_INLINE_ALL  // programs that link this library need no libxxhash
#include <xxhash.h>

#include <cstring>

#include "golden/large_payload.h"
#include "golden/revision_record.h"

namespace revctl::golden {
namespace {

constexpr std::string_view kMagic{"rvgold\1\n", 8};
constexpr std::size_t kEntryBytes = 12;

}  // namespace

std::uint64_t PayloadHash(std::span<const std::byte> payload) {
  return XXH64(payload.data(), payload.size(), 0);
}

std::uint64_t PayloadPack::Add(std::span<const std::byte> payload) {
  const std::uint64_t hash = PayloadHash(payload);
  payloads_.try_emplace(hash, payload.begin(), payload.end());
  return hash;
}

const std::vector<std::byte>* PayloadPack::Find(std::uint64_t hash) const {
  const auto found = payloads_.find(hash);
  return found == payloads_.end() ? nullptr : &found->second;
}

std::string PayloadPack::Bytes() const {
  std::string out(kMagic);
  PutNumber(out, static_cast<std::uint32_t>(payloads_.size()));
  for (const auto& [hash, payload] : payloads_) {
    PutNumber(out, hash);
    PutNumber(out, static_cast<std::uint32_t>(payload.size()));
  }
  for (const auto& [hash, payload] : payloads_) {
    out.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  }
  return out;
}

Result<PayloadPack> PayloadPack::Parse(std::string_view bytes, std::string_view file) {
  const auto fail = [&](std::string message, std::string fix = "") {
    return FileError(std::string(file), 0, std::move(message), std::move(fix));
  };
  if (IsLfsPointer(bytes))
    return fail("is a Git LFS pointer instead of the payloads", "git lfs pull");
  constexpr std::string_view kName = kMagic.substr(0, 6);
  if (bytes.starts_with(kName) && bytes.size() > kName.size() &&
      bytes[kName.size()] > kMagic[kName.size()]) {
    return fail(fmt::format("has payload pack version {:d}, but this program reads only version 1",
                            bytes[kName.size()]),
                kUpdateRevctl);
  }
  if (!bytes.starts_with(kMagic))
    return fail("not a payload pack: it does not begin with `rvgold`");
  std::size_t offset = kMagic.size();
  if (bytes.size() < offset + 4) return fail("truncated in the header");
  const auto count = GetNumber<std::uint32_t>(bytes, offset);
  offset += 4;
  // Check that the file is large enough for the table before allocating memory for it.
  if (count > (bytes.size() - offset) / kEntryBytes)
    return fail("truncated, or its payload count is wrong");
  std::size_t data = offset + count * kEntryBytes;
  PayloadPack pack;
  for (std::uint32_t i = 0; i < count; ++i, offset += kEntryBytes) {
    const auto hash = GetNumber<std::uint64_t>(bytes, offset);
    const std::size_t size = GetNumber<std::uint32_t>(bytes, offset + 8);
    const std::string which = fmt::format("payload {} of {}", i + 1, count);
    if (size > kLargestPayload)
      return fail(fmt::format("{} has {} bytes; the limit for a golden is {}", which, size,
                              kLargestPayload));
    if (size > bytes.size() - data) return fail(which + " is truncated, or its size is wrong");
    std::vector<std::byte> payload(size);
    if (size != 0) std::memcpy(payload.data(), bytes.data() + data, size);
    data += size;
    if (const auto now = PayloadHash(payload); now != hash) {
      return fail(fmt::format("{} is damaged: its hash is {}, but the table says {}", which,
                              HashText(now), HashText(hash)));
    }
    if (!pack.payloads_.emplace(hash, std::move(payload)).second)
      return fail(which + " occurs twice");
  }
  if (data != bytes.size()) return fail("has extra bytes after the last payload");
  return pack;
}

}  // namespace revctl::golden
