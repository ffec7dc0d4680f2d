// Compiles the header of each archive with a body but without any other header of the library. Each
// header has its own source file, so that it cannot rely on headers included earlier.
#include <cstdio>

bool WriterAlone();
bool ReaderAlone();
bool SizeCounterAlone();
bool LayoutAlone();
bool FillAlone();
bool JsonWriterAlone();
bool JsonReaderAlone();
bool DifferAlone();
bool TraceAlone();
bool SaveFileAlone();
bool ObjectsAlone();
bool BehindMinMax();

int main() {
  int failed = 0;
  const auto expect = [&](bool works, const char* header) {
    if (works) return;
    std::printf("failed: %s\n", header);
    ++failed;
  };
  expect(WriterAlone(), "writer.h");
  expect(ReaderAlone(), "reader.h");
  expect(SizeCounterAlone(), "size_counter.h");
  expect(LayoutAlone(), "layout_archive.h");
  expect(FillAlone(), "fill.h");
  expect(JsonWriterAlone(), "json_writer.h");
  expect(JsonReaderAlone(), "json_reader.h");
  expect(DifferAlone(), "differ.h");
  expect(TraceAlone(), "trace.h");
  expect(SaveFileAlone(), "save_file.h");
  expect(ObjectsAlone(), "objects.h");
  expect(BehindMinMax(), "all headers after the macros min and max");
  return failed;
}
