/** How many calls a second do a pool and keys on 1, 2 and 4 workers answer, with handlers that compute for some 2 ms? */
import type { Bench } from "./bench.ts";
import { scaleRates } from "./scaling/rates.ts";

/** See the header. */
export const bench: Bench = {
  question:
    "calls a second to a pool and to keys on 1, 2 and 4 workers over nats, handlers that compute for some 2 ms",
  operation: "call",
  roundCount: 3,
  contenders: scaleRates("compute"),
};
