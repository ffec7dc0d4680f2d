# Prints the ```cpp blocks of a page (-v block=LANGUAGE for a different language), each preceded by a #line that refers
# to the page.
BEGIN { if (block == "") block = "cpp" }
$0 == "```" block { on = 1; printf "#line %d \"%s\"\n", NR + 1, FILENAME; next }
/^```/ { on = 0 }
on { print }
