# Whether the code of a page stands in sources: each ```cpp and ```yaml block must be found in one of them, without regard to blanks
# and comments. A line `...`, or one that ends so, leaves something out.
#
#   awk -f cmake/page_code.awk SOURCE... PAGE.md       prints what is not found; exit 1 then, and where the page has no such block
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
