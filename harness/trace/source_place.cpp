#include "harness/trace/source_place.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "harness/layout/fields.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

constexpr std::size_t kLargestSource = 8U << 20;

/// Returns the position of `word` in `text` as a whole word, or npos. `also` counts as a letter.
std::size_t FindWord(const std::string& text, const std::string& word, char also = '_') {
  const auto joins = [&](char c) { return base::IsWord(c) || c == also; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !joins(text[at - 1])) && (end == text.size() || !joins(text[end]))) return at;
  }
  return std::string::npos;
}

}  // namespace

SourcePlace NearestVisit(const std::vector<LayoutField>& fields, const LayoutField* recorded,
                         const TypeTrace& now) {
  const auto visits = now.AllFields();
  const auto place = [&](const LayoutField& field) -> SourcePlace {
    for (const LayoutField* const visit : visits) {
      if (!field.name.empty() && visit->name == field.name && !visit->file.empty())
        return {visit->file, visit->line};
    }
    return {};
  };
  std::size_t at = 0;
  while (at < fields.size() && &fields[at] != recorded) ++at;
  for (std::size_t i = at; i-- > 0;) {
    if (auto found = place(fields[i]); found.line != 0) return found;
  }
  for (std::size_t i = at + 1; i < fields.size(); ++i) {
    if (auto found = place(fields[i]); found.line != 0) return found;
  }
  for (const auto* list : {&now.layout.fields, &now.removed, &now.closed}) {
    if (!list->empty() && !list->front().file.empty())
      return {list->front().file, list->front().line};
  }
  return {};
}

namespace {

/// Returns the field that one step of a path names, or null if there is none: `players` for
/// `players[1]`, `CHECK_INTEGRITY` for `#integrity`, and the second (or last) visit of `hp` for
/// `hp~2`.
const LayoutField* FieldOf(const TypeTrace& trace, std::string_view step) {
  const std::string_view name = step.substr(0, step.find_first_of("[#~"));
  const std::size_t again = step.find('~');
  int visit =
      again == std::string_view::npos ? 1 : std::atoi(std::string(step.substr(again + 1)).c_str());
  const LayoutField* found = nullptr;
  for (const auto* fields : {&trace.layout.fields, &trace.removed, &trace.closed}) {
    for (const LayoutField& field : *fields) {
      if (name.empty() ? field.form != "integrity" : field.name != name) continue;
      found = &field;
      if (--visit <= 0) return found;
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// Returns the record type that `wire` is or contains, if that type has a field for the next path
/// step; otherwise null.
const TypeTrace* Inside(const std::map<std::string, TypeTrace>& layouts, const std::string& wire,
                        std::string_view next) {
  for (const auto& [type, trace] : layouts) {
    if (Mentions(wire, type) && FieldOf(trace, next) != nullptr) return &trace;
  }
  return nullptr;
}

}  // namespace

SourcePlace FieldPlace(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                       std::string_view path) {
  SourcePlace place;
  const auto found = layouts.find(root);
  const TypeTrace* at = found == layouts.end() ? nullptr : &found->second;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const LayoutField* const field = FieldOf(*at, path.substr(0, dot));
    if (field == nullptr) break;
    if (!field->file.empty()) place = {field->file, field->line};
    path.remove_prefix(std::min(dot + 1, path.size()));
    at = Inside(layouts, field->type, path.substr(0, path.find('.')));
  }
  return place;
}

const LayoutField* FieldAt(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                           std::string_view path) {
  const auto found = layouts.find(root);
  const TypeTrace* at = found == layouts.end() ? nullptr : &found->second;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view part = path.substr(0, dot);
    const LayoutField* const field = FieldOf(*at, part);
    if (field == nullptr) break;
    path.remove_prefix(std::min(dot + 1, path.size()));
    if (path.empty()) return part == field->name ? field : nullptr;
    at = Inside(layouts, field->type, path.substr(0, path.find('.')));
  }
  return nullptr;
}

namespace {

/// True if the line begins or ends a body, so the code beyond it belongs to a different type.
bool IsEdgeOfBody(const std::string& line) {
  return line.find("SERIALIZE_") != std::string::npos ||
         line.find("Serialize(") != std::string::npos;
}

/// Returns the lines of a file. Caches the last file, because many types share one.
const std::vector<std::string>& LinesOf(const std::string& file) {
  thread_local std::string last;
  thread_local std::vector<std::string> lines;
  if (file == last) return lines;
  last = file;
  lines.clear();
  const auto text = base::ReadFile(file, kLargestSource);
  if (!text || !*text) return lines;
  std::istringstream all(**text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// Returns the source lines of the body in `visited.file`, and sets `visited.line` to the first
/// one. Unlike other SERIALIZE_ macros, SERIALIZE_IGNORE does not end a body.
std::vector<std::string> LinesOfBody(const TypeTrace& body, SourcePlace& visited) {
  int last = visited.line;
  for (const LayoutField* const field : body.AllFields()) {
    if (field->file != visited.file) continue;
    visited.line = std::min(visited.line, field->line);
    last = std::max(last, field->line);
  }
  std::vector<std::string> lines;
  int number = 0;
  for (const std::string& line : LinesOf(visited.file)) {
    ++number;
    const bool edge = IsEdgeOfBody(line) && line.find("SERIALIZE_IGNORE") == std::string::npos;
    if (edge && number <= visited.line) lines.clear();
    if (edge && number > last) break;
    lines.push_back(line);
    if (number == visited.line) visited.line -= static_cast<int>(lines.size()) - 1;
  }
  return lines;
}

}  // namespace

VisitedLines LinesVisited(const TypeTrace& body) {
  VisitedLines lines;
  for (const LayoutField* const field : body.AllFields()) {
    if (field->file.empty() || field->line <= 0) continue;
    if (lines.file.empty()) lines = {field->file, field->line, field->line};
    if (field->file != lines.file) continue;
    lines.first = std::min(lines.first, field->line);
    lines.last = std::max(lines.last, field->line);
  }
  return lines;
}

BodyText TextOfBody(const TypeTrace& body) {
  auto [file, first, last] = LinesVisited(body);
  BodyText text;
  text.file = std::move(file);
  if (text.file.empty()) return text;
  const std::vector<std::string>& lines = LinesOf(text.file);
  const auto edge = [&](int number) {
    const std::string& line = lines[static_cast<std::size_t>(number) - 1];
    return (line.find("SERIALIZE_") != std::string::npos &&
            line.find("SERIALIZE_IGNORE") == std::string::npos) ||
           line.find(" Serialize(Archive") != std::string::npos;
  };
  const int count = static_cast<int>(lines.size());
  if (last > count) return text;
  while (first > 1 && !edge(first)) --first;
  while (last < count && !edge(last)) ++last;
  text.line = first;
  for (int number = first; number <= last; ++number)
    text.text += lines[static_cast<std::size_t>(number) - 1] + "\n";
  return text;
}

SourcePlace ComparisonPlace(const TypeTrace& body, const std::vector<RevisionSpelling>& spellings) {
  if (body.layout.fields.empty()) return {};
  const SourcePlace visit{body.layout.fields.front().file, body.layout.fields.front().line};
  SourcePlace place = visit;
  const std::vector<std::string> lines = LinesOfBody(body, place);
  const auto has = [](const std::string& line, const std::string& word) {
    return FindWord(line, word) != std::string::npos;
  };
  for (const bool asked : {true, false}) {
    for (const RevisionSpelling& spelling : spellings) {
      const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
        return asked ? has(line, "revision") &&
                           (has(line, spelling.name) || has(line, std::to_string(spelling.number)))
                     : has(line, spelling.name);
      });
      if (found != lines.end())
        return {visit.file, place.line + static_cast<int>(found - lines.begin())};
    }
  }
  return visit;
}

namespace {

std::vector<std::string> WordsOf(const std::string& code) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : code + " ") {
    if (base::IsDigit(c) ? !word.empty() : base::IsWord(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
  }
  return words;
}

/// True if the line assigns to `word`. For example, `const bool rare = IsRare(d.kind);` assigns to
/// `rare`.
bool Assigns(const std::string& line, const std::string& word) {
  const std::size_t at = FindWord(line, word);
  if (at == std::string::npos) return false;
  const std::size_t next = line.find_first_not_of(' ', at + word.size());
  return next != std::string::npos && line[next] == '=' && line.substr(next, 2) != "==";
}

bool ReadsProgramOnly(const TypeTrace& body, const std::vector<std::string>& lines,
                      const std::string& condition) {
  const auto fields = body.AllFields();
  const auto is_field = [&](const std::string& word) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const LayoutField* field) { return field->name == word; });
  };
  bool names_something = false;
  for (const std::string& word : WordsOf(condition)) {
    if (word == "true" || word == "false") continue;
    const bool local = std::any_of(lines.begin(), lines.end(),
                                   [&](const std::string& line) { return Assigns(line, word); });
    if (word == "d" || word == "r" || local || is_field(word)) return false;
    names_something = true;
  }
  return names_something;
}

/// Returns the place of the body's first visit with a known source.
SourcePlace FirstVisit(const TypeTrace& body) {
  for (const LayoutField& field : body.layout.fields) {
    if (!field.file.empty()) return {field.file, field.line};
  }
  return {};
}

/// Returns the condition of the `if (...)` in this line, or "" if there is no `if` or the condition
/// continues on the next line.
std::string AskedByIf(const std::string& line) {
  const std::size_t keyword = FindWord(line, "if");
  if (keyword == std::string::npos) return "";
  const std::size_t open = line.find_first_not_of(' ', keyword + 2);
  if (open == std::string::npos || line[open] != '(') return "";  // an `if constexpr`
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth == 0) return line.substr(open + 1, i - open - 1);
  }
  return "";
}

}  // namespace

ProgramCondition FindProgramCondition(const TypeTrace& body) {
  SourcePlace place = FirstVisit(body);
  if (place.line == 0) return {};
  const std::vector<std::string> lines = LinesOfBody(body, place);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string asked = AskedByIf(lines[i]);
    if (!asked.empty() && ReadsProgramOnly(body, lines, asked))
      return {asked, {place.file, place.line + static_cast<int>(i)}};
  }
  return {};
}

bool ReadsProgramOnly(const TypeTrace& body, const std::string& condition) {
  SourcePlace place = FirstVisit(body);
  return ReadsProgramOnly(
      body, place.line == 0 ? std::vector<std::string>() : LinesOfBody(body, place), condition);
}

SourcePlace EnumDeclaration(const std::string& type, const SourcePlace& visit) {
  const auto text = base::ReadFile(visit.file, kLargestSource);
  if (!text || !*text) return visit;
  const std::string name = LastComponent(type);
  std::istringstream lines(**text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t keyword = FindWord(line, "enum");
    const std::size_t found = FindWord(line, name);
    if (keyword != std::string::npos && found != std::string::npos && keyword < found &&
        line.find(';', found) > line.find('{', found))
      return {visit.file, number};
  }
  return visit;
}

bool Mentions(const std::string& wire, const std::string& name) {
  return FindWord(wire, name, ':') != std::string::npos;
}

std::string LineAt(const std::string& file, int number) {
  const std::vector<std::string>& lines = LinesOf(file);
  if (number < 1 || static_cast<std::size_t>(number) > lines.size()) return "";
  const std::string& line = lines[static_cast<std::size_t>(number) - 1];
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t last = line.find_last_not_of(" \t\r");
  constexpr std::size_t kLongest = 100;
  if (first == std::string::npos) return "";
  return line.substr(first, std::min(last + 1 - first, kLongest));
}

}  // namespace revctl::harness
