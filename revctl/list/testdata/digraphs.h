%:define ONE 1
enum Revision <% SR_A = ONE, SR_B <:<:maybe_unused:>:> = 5, SR_C %>;
