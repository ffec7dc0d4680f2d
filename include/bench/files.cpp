// ci/bench files: compares LoadFile() with loading from a memory-mapped file.
//
//   include_file_bench [--rounds N]
//
// The files are in the page cache, every read decodes into the same object, and the runs are
// interleaved. The results are medians of CPU time.
#include <revctl/map_file.h>
#include <revctl/save_file.h>
#include <revctl/serialize.h>

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct World {
  std::vector<std::uint32_t> cells;
};
SERIALIZE_TYPE(World) { ADD(1, cells); }
SERIALIZE_END

double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double Median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool LoadMapped(const std::string& path, World& world) {
  revctl::MappedFile file;
  return revctl::MapFile(path, file).Ok() && revctl::Load(file.Bytes(), world, 1).Ok();
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 3 && std::strcmp(argv[1], "--rounds") == 0 ? std::atoi(argv[2]) : 31;
  if (rounds <= 0 || (argc != 1 && argc != 3)) {
    std::fprintf(stderr, "usage: %s [--rounds N]\n", argv[0]);
    return 2;
  }
  std::string folder = "/tmp/revctl_file_bench_XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return 3;
  const std::string path = folder + "/world";
  std::printf("%12s %14s %14s %12s\n", "bytes", "LoadFile us", "mapped us", "mapped/read");
  bool fine = true;
  for (const std::size_t count : {512u, 16384u, 262144u, 4194304u, 16777216u}) {
    World world;
    world.cells.resize(count, 7);
    fine &= revctl::SaveFile(path, 1, world).Ok();
    // Reading a small file only once is too fast to measure.
    const int repeat = static_cast<int>(std::max<std::size_t>(1, 262144 / count));
    std::vector<double> read, mapped;
    for (int round = 0; round < rounds; ++round) {
      const double t0 = Now();
      for (int i = 0; i < repeat; ++i) fine &= revctl::LoadFile(path, world, 1).Ok();
      const double t1 = Now();
      for (int i = 0; i < repeat; ++i) fine &= LoadMapped(path, world);
      const double t2 = Now();
      read.push_back((t1 - t0) / repeat);
      mapped.push_back((t2 - t1) / repeat);
    }
    const double a = Median(read), b = Median(mapped);
    std::printf("%12zu %14.1f %14.1f %12.2f\n", count * 4 + 20, a * 1e6, b * 1e6, b / a);
  }
  ::unlink(path.c_str());
  ::rmdir(folder.c_str());
  return fine ? 0 : 1;
}
