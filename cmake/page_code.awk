# Checks that each ```cpp and ```yaml block of a page is in one of the sources, ignoring blanks and comments. `...` at
# the end of a line stands for omitted code.
#
#   awk -f cmake/page_code.awk SOURCE... PAGE.md       prints blocks that are not found
#
# Exit: 1 if a block is not found or if the page contains no block.
function plain(line, yaml) {
  if (yaml) sub(/(^|[ \t])#.*/, "", line)
  else sub(/\/\/.*/, "", line)
  gsub(/[ \t\r]/, "", line)
  return line
}
function seek(    file) {
  if (part == "") return
  ++parts
  for (file in text) {
    if (index(text[file], part) > 0) { part = ""; return }
  }
  printf "%s:%d: this code is in none of its sources\n", FILENAME, begin
  failed = 1
  part = ""
}
FILENAME !~ /\.md$/ { text[FILENAME] = text[FILENAME] plain($0, FILENAME ~ /\.yaml$/); next }
/^```(cpp|yaml)$/ { inside = 1; yaml = /yaml/; part = ""; begin = FNR + 1; next }
/^```/ { if (inside) seek(); inside = 0; next }
inside && /\.\.\.[ \t]*$/ {
  line = $0
  sub(/\.\.\.[ \t]*$/, "", line)
  part = part plain(line, yaml)
  seek()
  begin = FNR + 1
  next
}
inside { part = part plain($0, yaml) }
END {
  if (parts == 0) { print FILENAME ": has no code to compare with sources"; failed = 1 }
  exit failed
}
