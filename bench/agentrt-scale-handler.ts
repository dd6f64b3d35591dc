/** How much processor time does the computing handler of these benches take in one plain process, and in two and four at once? */
import type { Bench } from "./bench.ts";
import { handlers } from "./scaling/handler.ts";

/** See the header. */
export const bench: Bench = {
  question:
    "calls of the computing handler in a second of processor time, in plain processes: one, two and four at once",
  operation: "call",
  roundCount: 5,
  contenders: handlers(),
};
