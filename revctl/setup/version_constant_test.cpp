#include "revctl/setup/version_constant.h"

#include <catch2/catch.hpp>

#include "revctl/setup/list_from_constant.h"

using namespace revctl::commands;

namespace {

std::string Found(std::string_view text) {
  std::string out;
  for (const VersionConstant& one : FindConstants(text, "a.h"))
    out += one.name + "=" + std::to_string(one.number) + (one.is_oldest ? " oldest;" : ";");
  return out;
}

}  // namespace

TEST_CASE("constants: all forms of declarations", "[constant]") {
  CHECK(Found("static constexpr u32 SAVE_STATE_VERSION = 71;\n") == "SAVE_STATE_VERSION=71;");
  CHECK(Found("#define SAVE_VERSION 71\n") == "SAVE_VERSION=71;");
  CHECK(Found("# define SAVE_VERSION (71u) // why\nint x;\n") == "SAVE_VERSION=71;");
  CHECK(Found("enum { SAVE_VERSION = 71 };\n") == "SAVE_VERSION=71;");
  CHECK(Found("enum : int { OLDEST_VERSION = 3, SAVE_VERSION = 71, };\n") ==
        "OLDEST_VERSION=3 oldest;SAVE_VERSION=71;");
  CHECK(Found("const int kSaveVersion = 71;\n") == "kSaveVersion=71;");
  CHECK(Found("struct S {\n static inline const std::uint32_t save_version{71};\n};\n") ==
        "save_version=71;");
  CHECK(Found("namespace {\nconstexpr unsigned\n    kRevision =\n    71;\n}\n") == "kRevision=71;");
}

TEST_CASE("constants: declarations that are not version constants", "[constant]") {
  CHECK(Found("int version = 71;\n").empty());
  CHECK(Found("constexpr u32 VERSION_MAGIC = 0x43435544;\n").empty());
  CHECK(Found("constexpr int kVersion = kOther;\n").empty());
  CHECK(Found("constexpr int kVersion = 7 + 1;\n").empty());
  CHECK(Found("#define VERSION \"71\"\n").empty());
  CHECK(Found("#define VERSION 7 + 1\n").empty());
  CHECK(Found("#define VERSION(x) 71\n").empty());
  CHECK(Found("enum V { VERSION_A = 1, VERSION_B = 2, VERSION_C = 3, VERSION_D = 4 };\n").empty());
  CHECK(Found("enum V { VERSION_A = 1, VERSION_B };\n").empty());
  CHECK(Found("// constexpr int kVersion = 7;\n").empty());
}

TEST_CASE("constants: the latest revision replaces the number", "[constant]") {
  const auto changed = [](std::string text) {
    const auto found = FindConstants(text, "a.h");
    REQUIRE(found.size() == 1);
    return WithNamedNumber(text, found[0], "SR_LATEST", "#include \"list.h\"");
  };
  CHECK(changed("#pragma once\n#define VERSION 71\n") ==
        "#pragma once\n#include \"list.h\"\n#define VERSION SR_LATEST\n");
  CHECK(changed("#ifndef A_H\n#define A_H\n#ifdef X\n#include \"x.h\"\n#endif\nconst int version = "
                "71;\n#endif\n") ==
        "#ifndef A_H\n#define A_H\n#include \"list.h\"\n#ifdef X\n#include \"x.h\"\n#endif\nconst "
        "int "
        "version = SR_LATEST;\n#endif\n");
  CHECK(changed("#include \"pch.h\"\r\nconst int version{71};\r\n") ==
        "#include \"pch.h\"\r\n#include \"list.h\"\r\nconst int version{SR_LATEST};\r\n");
  CHECK(changed("// notice\nconst int version = 71;\n") ==
        "// notice\n#include \"list.h\"\nconst int version = SR_LATEST;\n");
  CHECK(changed("const int version = 71;\n#include \"x.h\"\n") ==
        "#include \"list.h\"\nconst int version = SR_LATEST;\n#include \"x.h\"\n");
}

TEST_CASE("constants: the name of a revision from a commit subject", "[constant]") {
  CHECK(RevisionNameFrom("SPU: Save the pitch of voice 3 (#1234)", 43, "SR_") ==
        "SR_SPU_PITCH_VOICE_3");
  CHECK(RevisionNameFrom("Bump save state version to 43", 43, "SR_") == "SR_VERSION_43");
  CHECK(RevisionNameFrom("", 43, "SR_") == "SR_VERSION_43");
  CHECK(RevisionNameFrom("3D buffers", 43, "SR_") == "SR_VERSION_43");
  CHECK(RevisionNameFrom("CDROM/Async: Don't read-ahead incomprehensibilities", 4, "SR_") ==
        "SR_CDROM_ASYNC_DONT_READ");
}
