enum Revision { SR_A = 1, SR_B = 2, SR_C }; enum Other { O_A, O_B };
