enum Revision
    { SR_A = 1 // one
    , SR_B     // two
    , SR_C = 9
    };
