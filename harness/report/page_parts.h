#pragma once

namespace revctl::harness {

/// page.html, page.css and page.js, as they stand beside this file: the build makes texts of them.
extern const char* const kPageHtml;
extern const char* const kPageCss;
extern const char* const kPageJs;

}  // namespace revctl::harness
