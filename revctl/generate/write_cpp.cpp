#include "revctl/generate/write_cpp.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "revctl/generate/code_text.h"
#include "revctl/generate/expression.h"
#include "revctl/generate/lines.h"
#include "revctl/generate/source_text.h"
#include "revctl/generate/type.h"

namespace revctl::generate {
namespace {

/// `SongV2`; the newest version has the struct's own name.
std::string VersionName(const Struct& of, std::size_t index) {
  return index + 1 == of.versions.size() ? of.name : of.name + "V" + std::to_string(index + 1);
}

std::string MemberText(const Field& field) {
  std::string line = "  " + CppType(field.type) + " " + field.name;
  line += field.fallback ? " = " + field.fallback->text : std::string("{}");
  return line + ";";
}

const Field* FindField(const Version& version, std::string_view name) {
  const auto found = std::find_if(version.fields.begin(), version.fields.end(),
                                  [&](const Field& f) { return f.name == name; });
  return found == version.fields.end() ? nullptr : &*found;
}

/// `RANGE(0, 3), NO_PRINT`
std::string TagsText(const Field& field) {
  std::string text;
  for (const Tag& tag : field.tags) {
    text += (text.empty() ? "" : ", ") + tag.name +
            (tag.arguments.empty() ? "" : "(" + tag.arguments + ")");
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
    std::string file(path_.substr(path_.rfind('/') + 1));
    // A name of two lines would not stay in its comment, nor one that is broken at a comma; one
    // that is no text, or turns the direction of writing, would not read as what it is.
    const bool is_text = !WrongWithText(file);
    for (char& c : file) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || byte == 0x7F || (byte > 0x7F && !is_text)) c = '?';
    }
    out_.Whole("// Written by `revctl generate` from " + file + ": change that, not this.");
    out_("#pragma once");
    for (const std::string_view each : {"array", "cstddef", "cstdint", "map", "optional", "span",
                                        "string", "string_view", "utility", "vector"}) {
      out_("#include <" + std::string(each) + ">");
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
    out_("#include \"" + d_.list + "\"");
    if (!d_.files.empty()) out_("#include \"" + d_.table + "\"");
    for (const std::string& each : d_.includes) out_("#include \"" + each + "\"");
    GuardNames(file);
    out_("")("namespace " + d_.name_space + " {");
  }

  /// Names in capitals are what macros are called, of any header that somebody includes before: the
  /// compiler would complain of what they expand to.
  void GuardNames(std::string file) {
    std::replace(file.begin(), file.end(), '"', '?');
    std::replace(file.begin(), file.end(), '\\', '?');
    std::set<std::string_view> guarded;
    const auto guard = [&](const std::string& name, const Place& place) {
      const bool small =
          std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      if (small || name.size() < 2 || !guarded.insert(name).second) return;
      if (guarded.size() == 1)
        out_("").Comment(
            "Names that are macros of no header, or the code below would not compile.");
      out_("#ifdef " + name);
      out_.Whole("#error \"" + TextOf(file, place) + ": '" + name +
                 "' is a macro of a header that is included here: give it another name\"");
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
    out_.Comment(each.about.empty() ? each.name + ", " + each.type + " on disk." : each.about);
    std::string line = "enum class " + each.name + " : std::" + each.type + " {";
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
        out_.Comment(of.about.empty() ? of.name + ", since " + version.since + "." : of.about);
      } else {
        out_.Comment(of.name + " as it was from " + version.since + " until " +
                     of.versions[v + 1].since + ".");
      }
      out_("struct " + VersionName(of, v) + " {");
      for (const Field& field : version.fields) {
        const std::string member = MemberText(field);
        if (!field.about.empty() && member.size() + field.about.size() + 7 <= 100) {
          out_(member + "  ///< " + field.about);
          continue;
        }
        if (!field.about.empty()) out_.Comment(field.about, 2);
        out_(member);
      }
      if (newest) out_("")("  bool operator==(const " + of.name + "&) const = default;");
      out_("};");
    }
    for (std::size_t v = 1; v < of.versions.size(); ++v) {
      out_("static_assert(revctl::NumberOf(" + of.versions[v - 1].since + ") < revctl::NumberOf(" +
           of.versions[v].since + "),");
      out_("              " + Literal("the versions of " + of.name + " must go from old to new") +
           ");");
    }
  }

  /// How the fields of `version` come from `old`, of the version before. What is computed comes
  /// first, since it may name any field of `old`: those that keep their name are moved out of it.
  std::vector<std::string> Steps(const Version& version, const Version& before) {
    std::vector<std::string> steps;
    for (const Field& field : version.fields) {
      if (field.from) steps.push_back("next." + field.name + " = " + field.from->text + ";");
    }
    for (const Field& field : version.fields) {
      if (field.from || FindField(before, field.name) == nullptr) continue;
      const std::string value = "old." + field.name;
      steps.push_back("next." + field.name + " = " +
                      (IsScalar(field.type, d_) ? value : "std::move(" + value + ")") + ";");
    }
    return steps;
  }

  /// Next(): one version to the one behind it; Newest(): all the way, composed.
  void WriteChain(const Struct& of) {
    for (std::size_t v = 0; v + 1 < of.versions.size(); ++v) {
      const std::string from = VersionName(of, v), to = VersionName(of, v + 1);
      out_("");
      out_.Comment(from + " as of " + of.versions[v + 1].since + ".");
      const std::vector<std::string> steps = Steps(of.versions[v + 1], of.versions[v]);
      const bool uses_old = std::any_of(steps.begin(), steps.end(), [](const std::string& step) {
        const std::vector<Word> words = WordsOf(step);
        return std::any_of(words.begin(), words.end(),
                           [](const Word& word) { return word.text == "old"; });
      });
      out_("inline " + to + " Next(" + (uses_old ? "" : "[[maybe_unused]] ") + from + " old) {");
      out_("  " + to + " next;");
      for (const std::string& step : steps) out_("  " + step);
      out_("  return next;")("}");
    }
    if (of.versions.size() > 1)
      out_("").Comment("A " + of.name + " of any older version as of today: all steps.");
    for (std::size_t v = of.versions.size() - 1; v-- > 0;) {
      const bool last = v + 2 == of.versions.size();
      out_("inline " + of.name + " Newest(" + VersionName(of, v) + " old) { return " +
           (last ? "Next(std::move(old))" : "Newest(Next(std::move(old)))") + "; }");
    }
  }

  /// The local that holds a field that is gone, for the upgrade.
  static std::string LocalOf(const Line& line) {
    if (!line.shares_name) return line.name;
    const auto first = std::find_if(line.in.begin(), line.in.end(),
                                    [](const Field* each) { return each != nullptr; });
    return "revctl_" + line.name + "_v" + std::to_string(first - line.in.begin() + 1);
  }

  /// One ADD or REM. Two fields of one name that are both gone keep it, since the harness has
  /// recorded it: each is visited in a block, and handed out of it.
  void WriteLine(const Line& line) {
    if (line.Lives()) {
      out_("  ADD(" + line.since + ", " + line.name + ");");
      return;
    }
    const std::string indent = line.shares_name ? "    " : "  ", local = LocalOf(line);
    std::string type = CppType(line.type);
    if (line.shares_name) out_("  " + type + " " + local + "{};")("  {");
    if (type.find(',') != std::string::npos) {  // a comma would divide the macro's arguments
      out_(indent + "using Type_" + line.name + " = " + type + ";");
      type = "Type_" + line.name;
    }
    const Field& field = line.field();
    out_(indent + "REM(" + line.since + ", " + line.until + ", " + type + ", " + line.name + ", " +
         (field.older      ? field.older->text
          : field.fallback ? field.fallback->text
                           : "{}") +
         ");");
    if (!line.shares_name) return;
    out_("    if (r.IsReading()) " + local + " = " +
         (IsScalar(line.type, d_) ? line.name : "std::move(" + line.name + ")") + ";");
    out_("  }");
  }

  void WriteBody(const Struct& of, const std::vector<Line>& lines) {
    out_("").Comment("A " + of.name + " in files of every revision.");
    out_("SERIALIZE_TYPE(" + of.name + ") {");
    for (const Line& line : lines) WriteLine(line);
    for (std::size_t v = 0; v + 1 < of.versions.size(); ++v) {
      out_((v == 0 ? "  if (r.IsReading() && r.revision < "
                   : "  } else if (r.IsReading() && r.revision < ") +
           of.versions[v + 1].since + ") {");
      out_("    " + VersionName(of, v) + " old;");
      for (const Line& line : lines) {
        if (line.in[v] == nullptr) continue;
        const std::string value = line.Lives() ? "d." + line.name : LocalOf(line);
        out_("    old." + line.name + " = " +
             (IsScalar(line.type, d_) ? value : "std::move(" + value + ")") + ";");
      }
      out_("    d = Newest(std::move(old));");
    }
    if (of.versions.size() > 1) out_("  }");
    out_("} SERIALIZE_END");
  }

  void WriteTable(const Struct& of, const std::vector<Line>& lines) {
    const auto& fields = of.newest().fields;
    out_("");
    out_.Comment("The fields of a " + of.name + ", for revctl::ToText, FieldsOf and ForEachField.");
    out_("constexpr auto RevctlFields(revctl::Tag<" + of.name + ">) {");
    out_("  return std::array<revctl::FieldInfo, " + std::to_string(fields.size()) + ">{{");
    for (const Field& field : fields) {
      const auto line = std::find_if(lines.begin(), lines.end(),
                                     [&](const Line& each) { return each.in.back() == &field; });
      out_("      {" + Literal(field.name) + ", " + Literal(CppType(field.type)) + ", " +
           Literal(line->since) + ", " + Literal(field.fallback ? field.fallback->text : "") +
           ", " + Literal(TagsText(field)) + "},");
    }
    out_("  }};")("}");
    // No struct can be called so, as one may be called Object or F.
    out_("template <class RevctlObject, class RevctlVisit>");
    out_("void RevctlForEachField(revctl::Tag<" + of.name +
         "> tag, RevctlObject& object, RevctlVisit& f) {");
    out_("  static constexpr auto fields = RevctlFields(revctl::Tag<" + of.name + ">{});");
    out_("  static_cast<void>(tag);");
    for (std::size_t i = 0; i < fields.size(); ++i) {
      out_("  f(fields[" + std::to_string(i) + "], object." + fields[i].name + ");");
    }
    out_("}");
  }

  void WriteFile(const File& file) {
    const std::string& type = file.type;
    // The list is known by any of its revisions: its prefix is not, and another list of the program
    // may have SR_LATEST.
    const std::string list = "decltype(" + d_.FindStruct(type)->versions.front().since + ")";
    const std::string latest = "revctl::LatestOf<" + list + ">()";
    std::string magic = "0x";
    for (std::size_t i = 4; i-- > 0;) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(file.magic[i]);
      magic += kDigits[byte >> 4];
      magic += kDigits[byte & 15];
    }
    out_("");
    out_.Comment("Files of a " + type + " begin with " + Literal(file.magic) + ".");
    out_("inline revctl::FileFormat " + type + "Format() {");
    out_("  revctl::FileFormat format;");
    out_("  format.magic = " + magic + ";");
    out_("  return format;")("}");
    out_("inline revctl::Status Save" + type + "(const " + type +
         "& value, std::vector<std::byte>& file) {");
    out_("  return revctl::Save(" + latest + ", value, file, " + type + "Format());")("}");
    if (!file.without_header.empty()) WriteWithoutHeader(file);
    out_("");
    out_.Comment("A file of any version." +
                 (file.without_header.empty() ? std::string()
                                              : " One that does not begin with the magic is from "
                                                "before there was a header, and holds a " +
                                                    type + " as of " + file.without_header +
                                                    "; none of those can begin with the magic."));
    out_("inline revctl::Status Load" + type + "(std::span<const std::byte> file, " + type +
         "& value) {");
    if (!file.without_header.empty()) {
      out_("  if (!" + type + "HasHeader(file)) {");
      out_("    revctl::Reader reader(file, " + file.without_header + ");");
      out_("    " + type + " old;");
      out_("    Serialize(reader, old);");
      out_("    if (!reader.AtEnd()) {");
      out_("      return {revctl::Status::Kind::Corrupt, \"neither the magic of a " + type +
           " nor one without: \" +");
      out_(
          "                                                 reader.error().path + \": \" + "
          "reader.error().reason};");
      out_("    }");
      out_("    value = std::move(old);");
      out_("    return {};")("  }");
    }
    out_("  return revctl::Load<" + list + ">(file, value, " + type + "Format());")("}");
    out_("");
    out_.Comment("For tools: JSON of the newest version, and back.");
    out_("inline std::string " + type + "ToJson(const " + type + "& value) {");
    out_("  return revctl::ToJson(value, " + latest + ");")("}");
    out_("inline revctl::Status " + type + "FromJson(std::string_view json, " + type +
         "& value) {");
    out_("  revctl::JsonReader reader(json, " + latest + ");");
    out_("  " + type + " fresh;");
    out_("  Serialize(reader, fresh);");
    out_("  if (!reader.Ok()) {");
    out_(
        "    return {revctl::Status::Kind::Corrupt, reader.error_path() + \": \" + "
        "reader.error_reason()};")("  }");
    out_("  value = std::move(fresh);");
    out_("  return {};")("}");
  }

  /// What tells files of before the header from later ones, for LoadSong and for the harness.
  void WriteWithoutHeader(const File& file) {
    const std::string& type = file.type;
    out_("");
    out_.Comment("Whether a file begins with the magic of a " + type + ".");
    out_("inline bool " + type + "HasHeader(std::span<const std::byte> file) {");
    out_("  std::uint32_t magic = 0;");
    out_("  for (std::size_t i = 0; i < 4 && i < file.size(); ++i) {");
    out_("    magic |= std::to_integer<std::uint32_t>(file[i]) << (8 * i);")("  }");
    out_("  return magic == " + type + "Format().magic;")("}");
    out_("");
    out_.Comment("Files of a " + type + " with header and without, for tools: HARNESS_FILES(" +
                 type + ", " + type + "Files).");
    out_("struct " + type + "Files {");
    out_(
        "  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) "
        "{");
    out_("    if (" + type + "HasHeader(file)) return revctl::OpenFile(file, " + type +
         "Format(), parts);");
    out_("    parts.revision = revctl::NumberOf(" + file.without_header + ");");
    out_("    parts.payload = file;");
    out_("    return {};")("  }");
    out_(
        "  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& "
        "file) {");
    out_("    if (parts.revision > revctl::NumberOf(" + file.without_header + ")) {");
    out_("      return revctl::MakeFile(parts, " + type + "Format(), file);")("    }");
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

}  // namespace revctl::generate
