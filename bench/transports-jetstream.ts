/** How many messages a second that NATS keeps reach an agent in another process, 64 at a time, compared with the same by the raw client library, without a consumer and with one? */
import type { Bench } from "./bench.ts";
import { keptCasts } from "./rivals/kept-casts.ts";

/** See the header. */
export const bench: Bench = {
  question:
    "acknowledged casts a second over JetStream, 64 at a time, against the raw client library",
  operation: "cast",
  contenders: keptCasts,
};
