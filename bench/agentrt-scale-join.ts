/** How long does it take until all keys and members are served again when a worker comes, is stopped, or is killed, and how many messages does a join take? */
import type { Bench } from "./bench.ts";
import { joins } from "./scaling/joins.ts";

/** See the header. */
export const bench: Bench = {
  question:
    "a worker comes to one other and to three, is stopped, and one is killed: how long, and how many messages",
  operation: "join",
  roundCount: 3,
  contenders: joins(),
};
