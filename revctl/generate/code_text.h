#pragma once
#include <string>
#include <string_view>

namespace revctl::generate {

/// Text of a C++ file, line by line, none wider than 100 columns where it can be broken behind a
/// comma.
class CodeText {
 public:
  /// One line, indented by blanks of its own. An empty one is written as it is.
  CodeText& operator()(std::string_view line);
  /// One line that is never broken.
  CodeText& Whole(std::string_view line);
  /// `/// text`, broken between words.
  CodeText& Comment(std::string_view text, int indent = 0);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// As a literal of C++, with its quotes.
std::string Literal(std::string_view text);

}  // namespace revctl::generate
