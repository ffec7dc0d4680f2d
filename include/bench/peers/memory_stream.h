#pragma once
// In-memory std::streambufs for the stream-based peers (cereal, Boost).
#include <cstring>
#include <streambuf>
#include <vector>
struct OMem final : std::streambuf {
  std::vector<unsigned char>& b;
  size_t n = 0;
  explicit OMem(std::vector<unsigned char>& v) : b(v) {}
  std::streamsize xsputn(const char* s, std::streamsize k) override {
    if (b.size() < n + size_t(k)) b.resize((n + size_t(k)) * 2);
    memcpy(b.data() + n, s, size_t(k));
    n += size_t(k);
    return k;
  }
  int overflow(int c) override {
    char ch = char(c);
    xsputn(&ch, 1);
    return c;
  }
};
struct IMem final : std::streambuf {
  IMem(const unsigned char* p, size_t n) {
    char* q = const_cast<char*>(reinterpret_cast<const char*>(p));
    setg(q, q, q + n);
  }
};
