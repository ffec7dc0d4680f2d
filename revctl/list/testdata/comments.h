// enum Revision { SR_FAKE = 1 }; in a comment
/* enum Revision { SR_ALSO_FAKE = 2 }; */
const char* const kRaw = R"list(
enum Revision { SR_RAW = 3, // " } ' {
};
)list";
const char* const kText = "enum Revision { SR_TEXT = 4 };" "\"";
const wchar_t kQuote = L'"';

enum Revision /* the list, see also } */ : int // and here {
{ // first comes the oldest, don't sort
  /* own line = 1, */
  SR_A = 1, // it's { here }
  SR_B /* = 7 */ = /* not 8 */ 2 /* nor 9, */, // } ;
  /*
   * Several lines, with a comma, an = and a }
   */
  SR_C,//no blanks
  // SR_GONE = 4,
  SR_D,          /// doc, first line
                 /// and its second
  SR_E = 5,      /**< doc */
  /* 6: */ SR_F = 6,
  SR_G /* no trailing comma */
  // the end
};
int f(Revision r) { return r == SR_A ? 'x' : '}'; }
