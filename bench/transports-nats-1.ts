/** How many calls a second reach an agent in another process over nats, 1 at a time, compared with the same round trip by the raw client library? */
import type { Bench } from "./bench.ts";
import { roundTrips } from "./rivals/round-trips.ts";

/** See the header. */
export const bench: Bench = {
  question:
    "calls a second to an agent in another process over nats, 1 at a time, against the raw client library",
  operation: "call",
  contenders: roundTrips({ transport: "nats", inFlightCount: 1, callCount: 20_000 }),
};
