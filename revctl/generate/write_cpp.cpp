#include "revctl/generate/write_cpp.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <string_view>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/generate/cpp_text.h"
#include "revctl/generate/definition_text.h"
#include "revctl/generate/type.h"

namespace revctl::generate {
namespace {

/// Returns the name of a version's C++ struct: the plain name for the newest version, and `SongV2`
/// and so on for older versions.
std::string VersionName(const Struct& of, std::size_t index) {
  return index + 1 == of.versions.size() ? of.name : fmt::format("{}V{}", of.name, index + 1);
}

std::string MemberText(const Field& field) {
  std::string line = fmt::format("  {} {}", CppType(field.type), field.name);
  line += field.fallback ? " = " + field.fallback->text : std::string("{}");
  return line + ";";
}

const Field* FindField(const Version& version, std::string_view name) {
  const auto found = std::find_if(version.fields.begin(), version.fields.end(),
                                  [&](const Field& f) { return f.name == name; });
  return found == version.fields.end() ? nullptr : &*found;
}

/// Returns the tags as macro arguments, such as `RANGE(0, 3), NO_PRINT`.
std::string TagsText(const Field& field) {
  std::string text;
  for (const Tag& tag : field.tags) {
    text += (text.empty() ? "" : ", ") + tag.name +
            (tag.arguments.empty() ? "" : fmt::format("({})", tag.arguments));
  }
  return text;
}

class Writer {
 public:
  Writer(const Definition& definition, std::string_view path) : d_(definition), path_(path) {}

  std::string Run() {
    Head();
    for (const Enum& each : d_.enums) WriteEnum(each);
    for (const Struct& each : d_.structs) {
      const std::vector<Line> lines = LinesOf(each);
      WriteStructs(each);
      WriteChain(each);
      WriteBody(each, lines);
      WriteTable(each, lines);
    }
    for (const File& each : d_.files) WriteFile(each);
    out_("")("}  // namespace " + d_.name_space);
    return out_.text();
  }

 private:
  void Head() {
    std::string file(base::FileName(path_));
    // The file's name goes into a comment. Replace characters that could end the comment or mislead
    // readers.
    const bool is_text = !WrongWithText(file);
    for (char& c : file) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte == 0x7F || (byte > 0x7F && !is_text)) c = '?';
    }
    out_.Whole(
        fmt::format("// Written by `revctl generate` from {}: change that, not this.", file));
    out_("#pragma once");
    for (const std::string_view each : {"array", "cstddef", "cstdint", "map", "optional", "span",
                                        "string", "string_view", "utility", "vector"}) {
      out_(fmt::format("#include <{}>", each));
    }
    out_("");
    out_("#include <revctl/fields.h>");
    const bool old_files = std::any_of(d_.files.begin(), d_.files.end(), [](const File& each) {
      return !each.without_header.empty();
    });
    if (old_files) out_("#include <revctl/file_parts.h>");
    if (!d_.files.empty())
      out_("#include <revctl/json_reader.h>")("#include <revctl/json_writer.h>");
    out_("#include <revctl/serialize.h>");
    out_("");
    out_(fmt::format("#include \"{}\"", d_.list));
    if (!d_.files.empty()) out_(fmt::format("#include \"{}\"", d_.table));
    for (const std::string& each : d_.includes) out_(fmt::format("#include \"{}\"", each));
    GuardNames(file);
    out_("")(fmt::format("namespace {} {{", d_.name_space));
  }

  /// Writes an #error for each upper-case name, in case an included header defines it as a macro.
  /// Otherwise the compiler's errors would refer to the macro's expansion.
  void GuardNames(std::string file) {
    std::replace(file.begin(), file.end(), '"', '?');
    std::replace(file.begin(), file.end(), '\\', '?');
    std::set<std::string_view> guarded;
    const auto guard = [&](const std::string& name, const Position& place) {
      const bool small = std::any_of(name.begin(), name.end(), base::IsLower);
      if (small || name.size() < 2 || !guarded.insert(name).second) return;
      if (guarded.size() == 1)
        out_("").Comment(
            "Names that are macros of no header, or the code below would not compile.");
      out_("#ifdef " + name);
      out_.Whole(fmt::format(
          "#error \"{}: '{}' is a macro of a header that is included here: give it another name\"",
          TextOf(file, place), name));
      out_("#endif");
    };
    for (const Enum& each : d_.enums) {
      guard(each.name, each.place);
      for (const Enumerator& value : each.values) guard(value.name, value.place);
    }
    for (const Struct& each : d_.structs) {
      guard(each.name, each.place);
      for (const Version& version : each.versions) {
        for (const Field& field : version.fields) guard(field.name, field.place);
      }
    }
  }

  void WriteEnum(const Enum& each) {
    out_("");
    out_.Comment(each.about.empty() ? fmt::format("{}, {} on disk.", each.name, each.type)
                                    : each.about);
    std::string line = fmt::format("enum class {} : std::{} {{", each.name, each.type);
    std::optional<Integer> next = Integer();
    for (const Enumerator& value : each.values) {
      line += (&value == &each.values.front() ? " " : ", ") + value.name;
      if (value.value != next) line += " = " + value.value.Cpp();
      next = value.value.Next();
    }
    out_(line + " };");
  }

  void WriteStructs(const Struct& of) {
    for (std::size_t v = 0; v < of.versions.size(); ++v) {
      const Version& version = of.versions[v];
      const bool newest = v + 1 == of.versions.size();
      out_("");
      if (newest) {
        out_.Comment(of.about.empty() ? fmt::format("{}, since {}.", of.name, version.since)
                                      : of.about);
      } else {
        out_.Comment(fmt::format("{} as it was from {} until {}.", of.name, version.since,
                                 of.versions[v + 1].since));
      }
      out_(fmt::format("struct {} {{", VersionName(of, v)));
      for (const Field& field : version.fields) {
        const std::string member = MemberText(field);
        if (!field.about.empty() && member.size() + field.about.size() + 7 <= 100) {
          out_(fmt::format("{}  ///< {}", member, field.about));
          continue;
        }
        if (!field.about.empty()) out_.Comment(field.about, 2);
        out_(member);
      }
      if (newest) out_("")(fmt::format("  bool operator==(const {}&) const = default;", of.name));
      out_("};");
    }
    for (std::size_t v = 1; v < of.versions.size(); ++v) {
      out_(fmt::format("static_assert(revctl::NumberOf({}) < revctl::NumberOf({}),",
                       of.versions[v - 1].since, of.versions[v].since));
      out_(
          fmt::format("              {});",
                      Literal(fmt::format("the versions of {} must go from old to new", of.name))));
    }
  }

  /// Returns statements that compute the fields of `version` from `old`, the previous version.
  /// Computed fields come first, because they may use fields of `old` that are moved out later.
  std::vector<std::string> Steps(const Version& version, const Version& before) {
    std::vector<std::string> steps;
    for (const Field& field : version.fields) {
      if (field.from) steps.push_back(fmt::format("next.{} = {};", field.name, field.from->text));
    }
    for (const Field& field : version.fields) {
      if (field.from || FindField(before, field.name) == nullptr) continue;
      const std::string value = "old." + field.name;
      steps.push_back(
          fmt::format("next.{} = {};", field.name,
                      IsScalar(field.type, d_) ? value : fmt::format("std::move({})", value)));
    }
    return steps;
  }

  /// Writes Next(), which upgrades by one version, and Newest(), which upgrades to the newest.
  void WriteChain(const Struct& of) {
    for (std::size_t v = 0; v + 1 < of.versions.size(); ++v) {
      const std::string from = VersionName(of, v), to = VersionName(of, v + 1);
      out_("");
      out_.Comment(fmt::format("{} as of {}.", from, of.versions[v + 1].since));
      const std::vector<std::string> steps = Steps(of.versions[v + 1], of.versions[v]);
      const bool uses_old = std::any_of(steps.begin(), steps.end(), [](const std::string& step) {
        const std::vector<Word> words = WordsOf(step);
        return std::any_of(words.begin(), words.end(),
                           [](const Word& word) { return word.text == "old"; });
      });
      out_(fmt::format("inline {} Next({}{} old) {{", to, uses_old ? "" : "[[maybe_unused]] ",
                       from));
      out_(fmt::format("  {} next;", to));
      for (const std::string& step : steps) out_("  " + step);
      out_("  return next;")("}");
    }
    if (of.versions.size() > 1)
      out_("").Comment(fmt::format("A {} of any older version as of today: all steps.", of.name));
    for (std::size_t v = of.versions.size() - 1; v-- > 0;) {
      const bool last = v + 2 == of.versions.size();
      out_(fmt::format("inline {} Newest({} old) {{ return {}; }}", of.name, VersionName(of, v),
                       last ? "Next(std::move(old))" : "Newest(Next(std::move(old)))"));
    }
  }

  /// Returns the name of the local variable for a removed field.
  static std::string LocalOf(const Line& line) {
    if (!line.shares_name) return line.name;
    const auto first = std::find_if(line.in.begin(), line.in.end(),
                                    [](const Field* each) { return each != nullptr; });
    return fmt::format("revctl_{}_v{}", line.name, first - line.in.begin() + 1);
  }

  /// Writes an ADD or a REM. Two removed fields with the same name must both be recorded under that
  /// name, so each is visited in its own block and assigned to its own variable.
  void WriteLine(const Line& line) {
    if (line.Lives()) {
      out_(fmt::format("  ADD({}, {});", line.since, line.name));
      return;
    }
    const std::string indent = line.shares_name ? "    " : "  ", local = LocalOf(line);
    std::string type = CppType(line.type);
    if (line.shares_name) out_(fmt::format("  {} {}{{}};", type, local))("  {");
    if (type.find(',') != std::string::npos) {  // a comma would separate the macro's arguments
      out_(fmt::format("{}using Type_{} = {};", indent, line.name, type));
      type = "Type_" + line.name;
    }
    const Field& field = line.field();
    out_(fmt::format("{}REM({}, {}, {}, {}, {});", indent, line.since, line.until, type, line.name,
                     field.older      ? field.older->text
                     : field.fallback ? field.fallback->text
                                      : "{}"));
    if (!line.shares_name) return;
    out_(
        fmt::format("    if (r.IsReading()) {} = {};", local,
                    IsScalar(line.type, d_) ? line.name : fmt::format("std::move({})", line.name)));
    out_("  }");
  }

  void WriteBody(const Struct& of, const std::vector<Line>& lines) {
    out_("").Comment(fmt::format("A {} in files of every revision.", of.name));
    out_(fmt::format("SERIALIZE_TYPE({}) {{", of.name));
    for (const Line& line : lines) WriteLine(line);
    for (std::size_t v = 0; v + 1 < of.versions.size(); ++v) {
      out_(fmt::format("{}{}) {{",
                       v == 0 ? "  if (r.IsReading() && r.revision < "
                              : "  } else if (r.IsReading() && r.revision < ",
                       of.versions[v + 1].since));
      out_(fmt::format("    {} old;", VersionName(of, v)));
      for (const Line& line : lines) {
        if (line.in[v] == nullptr) continue;
        const std::string value = line.Lives() ? "d." + line.name : LocalOf(line);
        out_(fmt::format("    old.{} = {};", line.name,
                         IsScalar(line.type, d_) ? value : fmt::format("std::move({})", value)));
      }
      out_("    d = Newest(std::move(old));");
    }
    if (of.versions.size() > 1) out_("  }");
    out_("} SERIALIZE_END");
  }

  void WriteTable(const Struct& of, const std::vector<Line>& lines) {
    const auto& fields = of.newest().fields;
    out_("");
    out_.Comment(
        fmt::format("The fields of a {}, for revctl::ToText, FieldsOf and ForEachField.", of.name));
    out_(fmt::format("constexpr auto RevctlFields(revctl::Tag<{}>) {{", of.name));
    out_(fmt::format("  return std::array<revctl::FieldInfo, {}>{{{{", fields.size()));
    for (const Field& field : fields) {
      const auto line = std::find_if(lines.begin(), lines.end(),
                                     [&](const Line& each) { return each.in.back() == &field; });
      out_(fmt::format("      {{{}, {}, {}, {}, {}}},", Literal(field.name),
                       Literal(CppType(field.type)), Literal(line->since),
                       Literal(field.fallback ? field.fallback->text : ""),
                       Literal(TagsText(field))));
    }
    out_("  }};")("}");
    // Use parameter names that cannot clash with a struct, because a struct may be called Object or
    // F.
    out_("template <class RevctlObject, class RevctlVisit>");
    out_(fmt::format(
        "void RevctlForEachField(revctl::Tag<{}> tag, RevctlObject& object, RevctlVisit& f) {{",
        of.name));
    out_(fmt::format("  static constexpr auto fields = RevctlFields(revctl::Tag<{}>{{}});",
                     of.name));
    out_("  static_cast<void>(tag);");
    for (std::size_t i = 0; i < fields.size(); ++i) {
      out_(fmt::format("  f(fields[{}], object.{});", i, fields[i].name));
    }
    out_("}");
  }

  void WriteFile(const File& file) {
    const std::string& type = file.type;
    // Identify the list by the type of one of its revisions. The list's prefix is unknown, and
    // another list of the program may also have an SR_LATEST.
    const std::string list =
        fmt::format("decltype({})", d_.FindStruct(type)->versions.front().since);
    const std::string latest = fmt::format("revctl::LatestOf<{}>()", list);
    std::string magic = "0x";
    for (std::size_t i = 4; i-- > 0;)
      magic += base::Hex(static_cast<unsigned char>(file.magic[i]), 2);
    out_("");
    out_.Comment(fmt::format("Files of a {} begin with {}.", type, Literal(file.magic)));
    out_(fmt::format("inline revctl::FileFormat {}Format() {{", type));
    out_("  revctl::FileFormat format;");
    out_(fmt::format("  format.magic = {};", magic));
    out_("  return format;")("}");
    out_(fmt::format(
        "inline revctl::Status Save{}(const {}& value, std::vector<std::byte>& file) {{", type,
        type));
    out_(fmt::format("  return revctl::Save({}, value, file, {}Format());", latest, type))("}");
    if (!file.without_header.empty()) WriteWithoutHeader(file);
    out_("");
    out_.Comment(
        "A file of any version." +
        (file.without_header.empty()
             ? std::string()
             : fmt::format(
                   " One that does not begin with the magic is from before there was a header. It "
                   "holds a {} as of {}; none of those can begin with the magic.",
                   type, file.without_header)));
    out_(fmt::format("inline revctl::Status Load{}(std::span<const std::byte> file, {}& value) {{",
                     type, type));
    if (!file.without_header.empty()) {
      out_(fmt::format("  if (!{}HasHeader(file)) {{", type));
      out_(fmt::format("    revctl::Reader reader(file, {});", file.without_header));
      out_(fmt::format("    {} old;", type));
      out_("    Serialize(reader, old);");
      out_("    if (!reader.AtEnd()) {");
      out_(
          fmt::format("      return {{revctl::Status::Kind::Corrupt, \"neither the magic of a {} "
                      "nor one without: \" +",
                      type));
      out_(
          "                                                 reader.error().path + \": \" + "
          "reader.error().reason};");
      out_("    }");
      out_("    value = std::move(old);");
      out_("    return {};")("  }");
    }
    out_(fmt::format("  return revctl::Load<{}>(file, value, {}Format());", list, type))("}");
    out_("");
    out_.Comment("For tools: JSON of the newest version, and back.");
    out_(fmt::format("inline std::string {}ToJson(const {}& value) {{", type, type));
    out_(fmt::format("  return revctl::ToJson(value, {});", latest))("}");
    out_(fmt::format("inline revctl::Status {}FromJson(std::string_view json, {}& value) {{", type,
                     type));
    out_(fmt::format("  revctl::JsonReader reader(json, {});", latest));
    out_(fmt::format("  {} fresh;", type));
    out_("  Serialize(reader, fresh);");
    out_("  if (!reader.Ok()) {");
    out_(
        "    return {revctl::Status::Kind::Corrupt, reader.error_path() + \": \" + "
        "reader.error_reason()};")("  }");
    out_("  value = std::move(fresh);");
    out_("  return {};")("}");
  }

  /// Writes functions that recognize files without a header, for LoadSong and the harness.
  void WriteWithoutHeader(const File& file) {
    const std::string& type = file.type;
    out_("");
    out_.Comment(fmt::format("Whether a file begins with the magic of a {}.", type));
    out_(fmt::format("inline bool {}HasHeader(std::span<const std::byte> file) {{", type));
    out_("  std::uint32_t magic = 0;");
    out_("  for (std::size_t i = 0; i < 4 && i < file.size(); ++i) {");
    out_("    magic |= std::to_integer<std::uint32_t>(file[i]) << (8 * i);")("  }");
    out_(fmt::format("  return magic == {}Format().magic;", type))("}");
    out_("");
    out_.Comment(
        fmt::format("Files of a {} with header and without, for tools: HARNESS_FILES({}, {}Files).",
                    type, type, type));
    out_(fmt::format("struct {}Files {{", type));
    out_(
        "  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) "
        "{");
    out_(fmt::format("    if ({}HasHeader(file)) return revctl::OpenFile(file, {}Format(), parts);",
                     type, type));
    out_(fmt::format("    parts.revision = revctl::NumberOf({});", file.without_header));
    out_("    parts.payload = file;");
    out_("    return {};")("  }");
    out_(
        "  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& "
        "file) {");
    out_(fmt::format("    if (parts.revision > revctl::NumberOf({})) {{", file.without_header));
    out_(fmt::format("      return revctl::MakeFile(parts, {}Format(), file);", type))("    }");
    out_("    file.assign(parts.payload.begin(), parts.payload.end());");
    out_("    return {};")("  }")("};");
  }

  const Definition& d_;
  const std::string_view path_;
  CodeText out_;
};

}  // namespace

std::string WriteCpp(const Definition& definition, std::string_view path) {
  return Writer(definition, path).Run();
}

const Field& Line::field() const {
  return **std::find_if(in.rbegin(), in.rend(), [](const Field* each) { return each != nullptr; });
}

std::vector<Line> LinesOf(const Struct& of) {
  std::vector<Line> lines;
  for (std::size_t v = 0; v < of.versions.size(); ++v) {
    const Version& version = of.versions[v];
    std::size_t next = 0;  // index at which the next field may continue or begin a line
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
