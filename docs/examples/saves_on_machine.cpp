// Writes and reads the saves of one example on the machine that runs this program. ci/machines
// compiles it for each machine, with macro definitions that name the example, and compares the
// output with that of other machines.
//
//   saves_on_machine OUT SAVE...    writes the current known value to OUT; loads each save, and
//   prints the upgraded value's checksum
//
// Exit: 0 done, 1 a save cannot be written or read.
#include EXAMPLE_HEADER
#include EXAMPLE_TABLE

#include <revctl/file_parts.h>
#include <revctl/json_writer.h>
#include <revctl/save_file.h>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

int main(int count, char** arguments) {
  auto known = EXAMPLE_VALUE();
  revctl::Status status =
      count < 2 ? revctl::Status(revctl::Status::Kind::Io, "usage: saves_on_machine OUT SAVE...")
                : revctl::SaveFile(arguments[1], SR_LATEST, known);
  for (int i = 2; status.Ok() && i < count; ++i) {
    decltype(known) upgraded{};
    status = revctl::LoadFile(arguments[i], upgraded);
    const std::string json = status.Ok() ? revctl::ToJson(upgraded, SR_LATEST) : "";
    const std::string path = arguments[i];
    std::printf("%s: %zu characters of JSON, checksum %016llx\n",
                path.substr(path.find_last_of('/') + 1).c_str(), json.size(),
                static_cast<unsigned long long>(revctl::Checksum(std::as_bytes(std::span(json)))));
  }
  if (!status.Ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.Ok() ? 0 : 1;
}
