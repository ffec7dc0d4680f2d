#include "golden/large_payload.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cstring>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"

namespace revctl::golden {
namespace {

constexpr std::string_view kLargeMagic{"rvlarge\1", 8};
constexpr std::size_t kLargeHeader = 24;
/// Shorter runs are not compressed, because a block costs 9 bytes.
constexpr std::size_t kShortestRun = 32;
/// Reserve one spare byte per this many bytes of a payload, so that the memory can be reused when
/// the object is saved again with a few new fields.
constexpr std::size_t kSpareShare = 16;

struct Run {
  std::size_t begin, end;
};

/// Returns the first run of at least kShortestRun equal bytes in [from, size), or an empty run at
/// the end if all runs are shorter.
Run NextRun(std::span<const std::byte> bytes, std::size_t from) {
  constexpr std::size_t kStep = kShortestRun / 2;
  // Checking blocks of kStep bytes is enough, because every run of kShortestRun bytes contains a
  // whole block.
  for (std::size_t at = from; at + kStep <= bytes.size(); at += kStep) {
    if (std::memcmp(bytes.data() + at, bytes.data() + at + 1, kStep - 1) != 0) continue;
    Run run{at, at + kStep};
    while (run.begin > from && bytes[run.begin - 1] == bytes[at]) --run.begin;
    while (run.end < bytes.size() && bytes[run.end] == bytes[at]) ++run.end;
    if (run.end - run.begin >= kShortestRun) return run;
  }
  return {bytes.size(), bytes.size()};
}

}  // namespace

std::string PackLargePayload(std::span<const std::byte> payload) {
  std::string out(kLargeMagic);
  out.reserve(kLargeHeader + payload.size());  // avoids doubling the capacity
  PutNumber(out, std::uint64_t{payload.size()});
  PutNumber(out, PayloadHash(payload));
  for (std::size_t at = 0; at < payload.size();) {
    const Run run = NextRun(payload, at);
    PutNumber(out, static_cast<std::uint32_t>(run.begin - at));
    out.append(reinterpret_cast<const char*>(payload.data()) + at, run.begin - at);
    PutNumber(out, static_cast<std::uint32_t>(run.end - run.begin));
    out += run.begin < run.end ? static_cast<char>(payload[run.begin]) : '\0';
    at = run.end;
  }
  return out;
}

namespace {

/// Reads a file in large blocks and returns its bytes in pieces of any size.
class Pieces {
 public:
  explicit Pieces(const ReadBytes& read) : read_(read), buffer_(kBuffer, '\0') {}

  /// Fills `to`. Returns false if the file ends too early.
  Result<bool> Take(std::span<char> to) {
    const std::size_t ready = std::min(to.size(), end_ - at_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), ready, to.begin());
    at_ += ready;
    to = to.subspan(ready);
    if (to.empty()) return true;
    if (to.size() >= kBuffer) {
      TRY(const std::size_t got, read_(to));
      return got == to.size();
    }
    TRY(Refill());
    if (end_ < to.size()) return false;
    return Take(to);
  }
  Result<bool> AtEnd() {
    if (at_ < end_) return false;
    TRY(Refill());
    return end_ == 0;
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{64} << 10;

  Result<base::Done> Refill() {
    at_ = 0;
    TRY(end_, read_(buffer_));
    return base::Done{};
  }

  const ReadBytes& read_;
  std::string buffer_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace

Result<std::vector<std::byte>> UnpackLargePayload(const ReadBytes& read, std::string_view file,
                                                  bool even_damaged) {
  const auto fail = [&](std::string message, std::string fix = "") {
    return FileError(std::string(file), 0, std::move(message), std::move(fix));
  };
  Pieces pieces(read);
  std::string header(kLargeHeader, '\0');
  TRY(const bool whole, pieces.Take(header));
  if (IsLfsPointer(header))
    return fail("is a Git LFS pointer instead of the payload", "git lfs pull");
  if (!whole || !header.starts_with(kLargeMagic))
    return fail("not a large payload: it does not begin with `rvlarge` and a 24-byte header");
  const auto size = GetNumber<std::uint64_t>(header, 8);
  if (size > kLargestLargePayload)
    return fail(
        fmt::format("claims a payload of {} bytes; the limit is {}", size, kLargestLargePayload));
  std::vector<std::byte> payload;
  payload.reserve(size + size / kSpareShare);
  payload.resize(size);
  for (std::size_t filled = 0;;) {
    TRY(const bool end, pieces.AtEnd());
    if (end && filled == payload.size()) break;
    std::string number(4, '\0'), run(5, '\0');
    TRY(const bool counted, pieces.Take(number));
    if (!counted) return fail("truncated");
    const std::size_t literal = GetNumber<std::uint32_t>(number, 0);
    if (payload.size() - filled < literal) return fail("contains more bytes than its header says");
    TRY(const bool filled_in,
        pieces.Take({reinterpret_cast<char*>(payload.data()) + filled, literal}));
    TRY(const bool closed, pieces.Take(run));
    if (!filled_in || !closed) return fail("truncated");
    filled += literal;
    const std::size_t length = GetNumber<std::uint32_t>(run, 0);
    if (payload.size() - filled < length) return fail("contains more bytes than its header says");
    std::fill_n(payload.begin() + static_cast<std::ptrdiff_t>(filled), length,
                static_cast<std::byte>(run[4]));
    filled += length;
  }
  const auto hash = GetNumber<std::uint64_t>(header, 16);
  if (even_damaged) return payload;
  if (const auto now = PayloadHash(payload); now != hash)
    return fail(fmt::format("is damaged: its hash is {}, but its header says {}", HashText(now),
                            HashText(hash)));
  return payload;
}

bool IsLfsPointer(std::string_view text) { return text.starts_with("version https://git-lfs"); }

std::optional<LfsPointer> ParseLfsPointer(std::string_view text) {
  if (!IsLfsPointer(text) || text.size() > kLongestLfsPointer) return std::nullopt;
  const auto value = [&](std::string_view key) -> std::string_view {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + key.size());
    return rest.substr(0, rest.find_first_of("\r\n"));
  };
  LfsPointer pointer;
  pointer.sha256 = value("\noid sha256:");
  const std::string_view size = value("\nsize ");
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), pointer.size);
  if (pointer.sha256.size() != 64 || size.empty() || error != std::errc{} ||
      end != size.data() + size.size())
    return std::nullopt;
  return pointer;
}

bool Names(const LfsPointer& pointer, std::string_view bytes) {
  return bytes.size() == pointer.size && Sha256(bytes) == pointer.sha256;
}

}  // namespace revctl::golden
