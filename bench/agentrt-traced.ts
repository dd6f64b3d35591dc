/** What do spans, a tenth of the traces and all of them, cost HTTP calls to an agent? Sent to a folder of SQLite files by the exporter's thread. */
import type { Bench, Contender } from "./bench.ts";
import { http1Lane } from "./rivals/http1-lane.ts";
import { served } from "./rivals/served.ts";

const connectionCount = 32;

function contender(name: string): Contender {
  return served({
    name,
    server: new URL("./rivals/traced-server.ts", import.meta.url),
    args: [name],
    callCount: 100_000,
    lanes: Array.from({ length: connectionCount }, () => http1Lane()),
  });
}

/** See the header. The ratios are those of the first one: a tenth over none is to be .95 or more; all over none, .8 or more. */
export const bench: Bench = {
  question: "HTTP calls a second with a tenth of the traces recorded, with none, with all",
  operation: "request",
  contenders: [contender("tenth"), contender("none"), contender("all")],
};
