// ci/bench compile: measures how much time and memory the compiler needs for the bodies of a
// program with many types.
//
//   include_compile_bench COMPILER INCLUDE [--types N] [--optimize 0|1|2] [--json]
//
// Generates N types of ten fields (numbers, strings, a vector, a map, an optional, an array, an
// enum, one earlier type), ten types per source file, in two variants: bodies in the headers
// (SERIALIZE_TYPE), or each body in one source file (SERIALIZE_DECLARE and SERIALIZE_DEFINE).
// Compiles, with -O1 by default, a file that only includes the types, a file that saves and loads
// all of them, and the source files with the definitions. Also compiles the same types, without
// gates, with cereal and Boost.Serialization if their Debian packages are installed. Both load in
// place, so a failed load leaves the object partly modified. The second source file for cereal
// gives the same guarantee as revctl::Load(): it loads into a fresh object, and then assigns that
// object to the caller's. The third can also load older versions: each class has a version number,
// and loads a field only from versions that contain the field. Compare the cost of our header with
// that of the standard headers that it includes (plain.cpp).
//
// Reports the compiler's CPU time and peak memory, because builds run many compilers in parallel.
// Exit: 0 success, 1 if a file does not compile, 2 usage error.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int kTypesInFile = 10;

struct Cost {
  double seconds = 0;
  double megabytes = 0;
};

struct Options {
  std::string compiler, include;
  std::string optimize = "1";
  int types = 500;
  bool json = false;
};

bool Parse(int argc, char** argv, Options& options) {
  if (argc < 3) return false;
  options.compiler = argv[1];
  options.include = argv[2];
  for (int i = 3; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      options.json = true;
    } else if (std::strcmp(argv[i], "--types") == 0 && i + 1 < argc) {
      options.types = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--optimize") == 0 && i + 1 < argc) {
      options.optimize = argv[++i];
      if (options.optimize != "0" && options.optimize != "1" && options.optimize != "2")
        return false;
    } else {
      return false;
    }
  }
  return options.types >= kTypesInFile && options.types % kTypesInFile == 0;
}

std::string StructOf(int n) {
  const std::string self = "T" + std::to_string(n), kind = "K" + std::to_string(n / kTypesInFile);
  std::string text;
  if (n % kTypesInFile == 0) text += "enum class " + kind + " : std::uint8_t { A, B, C };\n";
  text += "struct " + self +
          " {\n  std::int32_t a = 0;\n  float b = 0;\n  std::string c, d;\n  "
          "std::vector<std::int32_t> e;\n"
          "  std::map<std::string, std::int32_t> f;\n  std::optional<double> g;\n  "
          "std::array<std::uint16_t, 4> h{};\n  " +
          kind + " i{};\n";
  text += n % kTypesInFile == 0 ? "  bool j = false;\n" : "  T" + std::to_string(n - 1) + " j;\n";
  return text + "};\n";
}

/// The revision in which type `n` got this field.
int Since(int n, char field) { return 1 + (n + field) % 20; }

std::string BodyOf(int n, const char* macro) {
  std::string text = std::string(macro) + "(T" + std::to_string(n) + ") {";
  for (char field = 'a'; field <= 'j'; ++field) {
    text += std::string(" ADD(") + std::to_string(Since(n, field)) + ", " + field + ");";
  }
  return text + " } SERIALIZE_END\n";
}

constexpr char kSaves[] =
    "struct Root { ROOT_FIELDS };\n"
    "SERIALIZE_TYPE(Root) { ROOT_BODY } SERIALIZE_END\n"
    "bool Save(const Root& root, std::string& bytes) { return revctl::Save(20, root, bytes).Ok(); "
    "}\n"
    "bool Load(Root& root, const std::string& bytes) { return revctl::Load(bytes, root, 20).Ok(); "
    "}\n";

/// Returns a source file that saves and loads the types that no other type contains, and thereby
/// all types.
std::string Saver(int types) {
  std::string fields, body, text = kSaves;
  for (int n = kTypesInFile - 1; n < types; n += kTypesInFile) {
    fields += "T" + std::to_string(n) + " t" + std::to_string(n) + "; ";
    body += "ADD(1, t" + std::to_string(n) + "); ";
  }
  text.replace(text.find("ROOT_FIELDS"), 11, fields);
  text.replace(text.find("ROOT_BODY"), 9, body);
  return text;
}

/// A peer library that serializes the same types. Its bodies are templates over the archive:
/// `serialize(A& a)`.
struct Peer {
  const char *name, *includes, *output, *input, *body;
};
constexpr Peer kPeers[] = {
    {"cereal",
     "#include <cereal/archives/binary.hpp>\n#include <cereal/types/array.hpp>\n"
     "#include <cereal/types/map.hpp>\n#include <cereal/types/optional.hpp>\n"
     "#include <cereal/types/string.hpp>\n#include <cereal/types/vector.hpp>\n",
     "cereal::BinaryOutputArchive", "cereal::BinaryInputArchive",
     "ar(t.a, t.b, t.c, t.d, t.e, t.f, t.g, t.h, t.i, t.j);"},
    {"boost",
     "#include <boost/archive/binary_iarchive.hpp>\n#include <boost/archive/binary_oarchive.hpp>\n"
     "#include <boost/serialization/array.hpp>\n#include <boost/serialization/map.hpp>\n"
     "#include <boost/serialization/string.hpp>\n#include <boost/serialization/vector.hpp>\n"
     "#include <optional>\n",
     "boost::archive::binary_oarchive", "boost::archive::binary_iarchive",
     "bool has = t.g.has_value(); double g = t.g.value_or(0);\n"
     "  ar & t.a & t.b & t.c & t.d & t.e & t.f & has & g & t.h & t.i & t.j;\n"
     "  if (has) t.g = g;"}};

/// How a peer loads: into the caller's object (InPlace), or into a fresh object that is then
/// assigned to it (Fresh). Gated loads like Fresh, but also accepts data of older versions; only
/// the code for cereal has gates.
enum class Loads { InPlace, Fresh, Gated };

/// Returns cereal's serialization function for type `n`, with a gate on each field.
std::string GatedBody(int n) {
  const std::string self = "T" + std::to_string(n);
  std::string text = "CEREAL_CLASS_VERSION(" + self +
                     ", 20)\ntemplate <class A> void serialize(A& ar, " + self +
                     "& t, std::uint32_t version) {";
  for (char field = 'a'; field <= 'j'; ++field)
    text += " if (version >= " + std::to_string(Since(n, field)) + ") ar(t." + field + ");";
  return text + " }\n";
}

std::string PeerSaver(const Peer& peer, int types, Loads loads) {
  std::string text = std::string(peer.includes) + "#include <cstdint>\n#include <sstream>\n";
  const bool boost = std::strcmp(peer.name, "boost") == 0;
  const auto body = [&](const std::string& type, const std::string& visits) {
    return boost ? "namespace boost::serialization {\ntemplate <class A> void serialize(A& ar, " +
                       type + "& t, unsigned) {\n  " + visits + "\n}\n}\n"
                 : "template <class A> void serialize(A& ar, " + type + "& t) { " + visits + " }\n";
  };
  for (int n = 0; n < types; ++n) {
    text += StructOf(n) +
            (loads == Loads::Gated ? GatedBody(n) : body("T" + std::to_string(n), peer.body));
  }
  std::string fields, visits;
  for (int n = kTypesInFile - 1; n < types; n += kTypesInFile) {
    const std::string name = "t" + std::to_string(n);
    fields += "T" + std::to_string(n) + " " + name + "; ";
    visits += boost ? "ar & t." + name + "; " : "ar(t." + name + "); ";
  }
  text += "struct Root { " + fields + "};\n" + body("Root", visits);
  const auto visit = [&](const std::string& object) {
    return " ar" + (boost ? " & " + object : "(" + object + ")") + "; ";
  };
  const std::string load = loads != Loads::InPlace
                               ? "Root fresh{}; " + std::string(peer.input) + " ar(in);" +
                                     visit("fresh") + "root = std::move(fresh); "
                               : std::string(peer.input) + " ar(in);" + visit("root");
  return text + "void Save(Root& root, std::ostream& out) { " + peer.output + " ar(out);" +
         visit("root") + "}\nvoid Load(Root& root, std::istream& in) { " + load + "}\n";
}

/// The standard headers that the library includes. They are the baseline for the cost of the
/// library's header.
constexpr char kStandardHeaders[] =
    "#include <algorithm>\n#include <array>\n#include <bitset>\n#include <charconv>\n"
    "#include <compare>\n#include <functional>\n#include <map>\n#include <memory>\n"
    "#include <new>\n#include <optional>\n#include <ranges>\n#include <set>\n#include <span>\n"
    "#include <string>\n#include <string_view>\n#include <tuple>\n#include <unordered_map>\n"
    "#include <unordered_set>\n#include <utility>\n#include <variant>\n#include <vector>\n";

void WriteFiles(const std::filesystem::path& folder, int types) {
  std::ofstream(folder / "standard.cpp") << kStandardHeaders;
  std::ofstream(folder / "include.cpp") << "#include <revctl/serialize.h>\n";
  for (const Peer& peer : kPeers) {
    const std::string name = peer.name;
    std::ofstream(folder / (name + "_probe.cpp")) << peer.includes;
    std::ofstream(folder / (name + "_saves.cpp")) << PeerSaver(peer, types, Loads::InPlace);
    std::ofstream(folder / (name + "_fresh_saves.cpp")) << PeerSaver(peer, types, Loads::Fresh);
  }
  std::ofstream(folder / "cereal_gated_saves.cpp") << PeerSaver(kPeers[0], types, Loads::Gated);
  std::ofstream whole(folder / "whole.h"), declared(folder / "declared.h");
  for (std::ofstream* header : {&whole, &declared})
    *header << "#pragma once\n#include <revctl/serialize.h>\n";
  for (int n = 0; n < types; ++n) {
    whole << StructOf(n) << BodyOf(n, "SERIALIZE_TYPE");
    declared << StructOf(n) << "SERIALIZE_DECLARE(T" << n << ");\n";
  }
  std::ofstream(folder / "plain.cpp")
      << "#include <array>\n#include <cstdint>\n#include <map>\n#include <optional>\n"
         "#include <string>\n#include <vector>\n";
  for (const std::string name : {"whole", "declared"}) {
    const std::string include = "#include \"" + name + ".h\"\n";
    std::ofstream(folder / (name + "_bystander.cpp"))
        << include << "int Use(const T1& t) { return t.a; }\n";
    std::ofstream(folder / (name + "_saves.cpp")) << include << Saver(types);
  }
  std::ofstream definitions(folder / "definitions.cpp");
  definitions << "#include \"declared.h\"\n";
  for (int n = 0; n < kTypesInFile; ++n) definitions << BodyOf(n, "SERIALIZE_DEFINE");
}

const Peer* PeerOf(const std::string& file) {
  for (const Peer& peer : kPeers) {
    if (file.starts_with(std::string(peer.name) + "_")) return &peer;
  }
  return nullptr;
}

bool Compile(const Options& options, const std::filesystem::path& source, Cost& cost) {
  const std::string include = "-I" + options.include, object = source.string() + ".o",
                    file = source.string(), optimize = "-O" + options.optimize;
  const pid_t child = ::fork();
  if (child == 0) {
    ::execlp(options.compiler.c_str(), options.compiler.c_str(), "-std=c++20", optimize.c_str(),
             "-c", include.c_str(), file.c_str(), "-o", object.c_str(),
             static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) return false;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  cost = {seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / 1024};
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, options)) {
    std::fprintf(
        stderr,
        "usage: %s COMPILER INCLUDE [--types N] [--optimize 0|1|2] [--json]    N: a multiple "
        "of ten\n",
        argv[0]);
    return 2;
  }
  std::string name = (std::filesystem::temp_directory_path() / "revctl compile.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    return 1;
  }
  const std::filesystem::path folder = name;
  WriteFiles(folder, options.types);
  const struct {
    const char *file, *what;
  } cases[] = {{"plain", "the standard headers of the types"},
               {"standard", "the standard headers that the library includes"},
               {"include", "revctl/serialize.h"},
               {"cereal_saves", "cereal: a file that saves and loads"},
               {"cereal_fresh_saves", "cereal: the same, with a fresh object for each load"},
               {"cereal_gated_saves", "cereal: as above, with a gate on each field"},
               {"boost_saves", "Boost: a file that saves and loads"},
               {"whole_bystander", "bodies in headers: a file that includes them"},
               {"whole_saves", "bodies in headers: a file that saves and loads"},
               {"declared_bystander", "declared: a file that includes them"},
               {"declared_saves", "declared: a file that saves and loads"},
               {"definitions", "declared: the bodies of ten types"}};
  std::printf(options.json ? "{\"version\":1,\"rows\":["
                           : "%d types, -O%s: CPU seconds and peak MB of the compiler\n",
              options.types, options.optimize.c_str());
  bool fine = true, first = true;
  for (const auto& [file, what] : cases) {
    Cost cost;
    if (const Peer* peer = PeerOf(file); peer != nullptr) {
      const std::string probe = std::string(peer->name) + "_probe.cpp";
      if (!Compile(options, folder / probe, cost)) {
        std::fprintf(stderr, "skipping %s: its headers are not installed\n", peer->name);
        continue;
      }
    }
    if (!Compile(options, folder / (std::string(file) + ".cpp"), cost)) {
      std::fprintf(stderr, "%s.cpp does not compile\n", file);
      fine = false;
      continue;
    }
    if (!options.json) {
      std::printf("%-50s %8.1f s %8.0f MB\n", what, cost.seconds, cost.megabytes);
      std::fflush(stdout);
      continue;
    }
    const struct {
      const char* unit;
      double value;
    } values[] = {{"s", cost.seconds}, {"MB", cost.megabytes}};
    for (const auto& [unit, value] : values) {
      std::printf(
          "%s\n  {\"bench\":\"compile\",\"case\":\"%d types, "
          "-O%s\",\"contender\":\"%s\",\"op\":\"compile\",\"value\":%.2f,"
          "\"unit\":\"%s\",\"ratio\":null,\"against\":null}",
          first ? "" : ",", options.types, options.optimize.c_str(), what, value, unit);
      first = false;
    }
  }
  if (options.json) std::printf("\n]}\n");
  std::filesystem::remove_all(folder);
  return fine ? 0 : 1;
}
