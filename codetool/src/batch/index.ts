/**
 * The batch front: commands from a stream of JSON lines.
 *
 *   stdin ─ splitLines ─▶ line ─ runLine ─▶ envelope ─▶ stdout, in the order of the lines
 *
 * In: lines such as `{"cmd":"read","file":"a.ts","lines":"1-9","id":"7"}`; the names are those of the command table in
 * snake_case. Out: one complete envelope a line, the `id` first.
 *
 * It streams: an answer is written as soon as it and those before it are done, while later lines are still coming.
 * Lines in flight, the length of a line and what waits to be written are bounded. A bad line costs only itself.
 *
 * It must not know standard streams, argv or exit codes: the command line gives it a stream and a write function.
 */
export { batchDescription } from "./description.ts";
export { runBatch } from "./run-batch.ts";
