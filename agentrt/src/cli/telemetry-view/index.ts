/**
 * The viewer of recorded spans: what of a telemetry folder it shows, what its keys do, and how it is drawn.
 *
 * It reads the folder, and asks no server.
 */
export { parseSince } from "./since.ts";
export { SpanFolder } from "./span-folder.ts";
export { agentOf } from "./picture.ts";
export { millisecondsText } from "./texts.ts";
export { traceRows, waterfallLines } from "./waterfall.ts";
export { printOnce, runPlain, runTelemetry } from "./run-telemetry.ts";
