/** How many calls a second of agents on a worker reach a pool and keys on 1, 2 and 4 workers? The supervisor's process only forwards. */
import type { Bench } from "./bench.ts";
import { scaleRates } from "./scaling/rates.ts";

/** See the header. */
export const bench: Bench = {
  question: "calls a second from a worker to a pool and to keys on 1, 2 and 4 workers over nats",
  operation: "call",
  roundCount: 3,
  contenders: scaleRates("nothing", { isForwarded: true }),
};
