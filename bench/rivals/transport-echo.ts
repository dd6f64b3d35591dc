/** `node transport-echo.ts nats <url>` or `… zmq <pub> <sub>`: answers calls by the raw client library, and prints `ready`. */
import process from "node:process";
import { serveRaw } from "./transport-raw.ts";

const { stringify, parse } = JSON;
await serveRaw(process.argv.slice(2), (bytes) => {
  const { sequence } = parse(Buffer.from(bytes).toString()) as { sequence: number };
  return Buffer.from(stringify({ sequence }));
});
process.stdout.write("ready\n");
