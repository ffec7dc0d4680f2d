enum Revision {
  SR_ÜBERSICHT = 1,  // Umlaut
  SR_名前,
};
