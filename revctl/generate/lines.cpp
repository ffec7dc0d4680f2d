#include "revctl/generate/lines.h"

#include <algorithm>

namespace revctl::generate {

const Field& Line::field() const {
  return **std::find_if(in.rbegin(), in.rend(), [](const Field* each) { return each != nullptr; });
}

std::vector<Line> LinesOf(const Struct& of) {
  std::vector<Line> lines;
  for (std::size_t v = 0; v < of.versions.size(); ++v) {
    const Version& version = of.versions[v];
    std::size_t next = 0;  // where the next field may continue a line or begin one
    for (const Field& field : version.fields) {
      std::size_t at = next;
      while (at < lines.size() &&
             !(lines[at].Lives() && lines[at].name == field.name && lines[at].type == field.type))
        ++at;
      if (at == lines.size()) {
        at = next;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                     Line{field.name, field.type, version.since, "", false, {}});
        lines[at].in.resize(v, nullptr);
      }
      lines[at].in.resize(v, nullptr);
      lines[at].in.push_back(&field);
      next = at + 1;
    }
    for (Line& line : lines) {
      if (line.in.size() > v) continue;
      line.in.push_back(nullptr);
      if (line.Lives()) line.until = version.since;
    }
  }
  for (Line& line : lines) {
    line.shares_name =
        !line.Lives() && std::any_of(lines.begin(), lines.end(), [&](const Line& other) {
          return &line != &other && !other.Lives() && line.name == other.name;
        });
  }
  return lines;
}

}  // namespace revctl::generate
