# Prints the ```cpp blocks of a page, each under a #line that points back into the page.
/^```cpp$/ { on = 1; printf "#line %d \"%s\"\n", NR + 1, FILENAME; next }
/^```/ { on = 0 }
on { print }
