# Prints the ```cpp blocks of a page (or of another language: -v block=...), each after a #line that refers to the page.
BEGIN { if (block == "") block = "cpp" }
$0 == "```" block { on = 1; printf "#line %d \"%s\"\n", NR + 1, FILENAME; next }
/^```/ { on = 0 }
on { print }
