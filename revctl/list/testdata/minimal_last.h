enum Version {
  V_BASE = 100,
  V_NEXT,
  V_MORE,
  MAX,
  CURRENT = MAX - 1,
  MINIMAL = V_NEXT
};
