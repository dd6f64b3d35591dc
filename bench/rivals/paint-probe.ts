/**
 * `node --import=paint-probe.ts agentrt dashboard`: measures in the dashboard's own process, and appends to the file that
 * `PAINT_PROBE` names. Lines: `paint <ms> <processor ms>` from the end of the first tree's answer to the first bytes that show it,
 * `redraw <ms> <processor ms>` from a key to the bytes that come of it, `cpu <ms since start> <processor ms>` each second.
 */
import { appendFileSync } from "node:fs";
import process from "node:process";

const file = process.env["PAINT_PROBE"] ?? "";
const say = (line: string): void => appendFileSync(file, `${line}\n`);
/** Time by the clock, and of the processor: on a machine that others use the clock says more of them. */
const now = (): readonly [number, number] => {
  const { user, system } = process.cpuUsage();
  return [performance.now(), (user + system) / 1000];
};
type Times = ReturnType<typeof now>;
const since = ([clockMs, cpuMs]: Times): string => {
  const [nowMs, usedMs] = now();
  return `${nowMs - clockMs} ${usedMs - cpuMs}`;
};
let tree: Times | undefined;
let isPainted = false;
let key: Times | undefined;

const ask = globalThis.fetch;
globalThis.fetch = async (...asked) => {
  const response = await ask(...asked);
  const isTree = response.url.includes("/topology");
  if (!isTree || tree !== undefined || response.body === null) return response;
  const end = new TransformStream({ flush: () => void (tree = now()) });
  return new Response(response.body.pipeThrough(end), response);
};

const { stdin, stdout } = process;
const emit = stdin.emit.bind(stdin);
stdin.emit = ((name: string, ...values: unknown[]) => {
  if (name === "data") key = now();
  return emit(name, ...values);
}) as typeof stdin.emit;

const write = stdout.write.bind(stdout);
stdout.write = (chunk: string, ...more: []) => {
  const isWritten = write(chunk, ...more);
  if (!isPainted && tree !== undefined && chunk.includes("desk-")) {
    isPainted = true;
    say(`paint ${since(tree)}`);
  } else if (key !== undefined) {
    say(`redraw ${since(key)}`);
    key = undefined;
  }
  return isWritten;
};

setInterval(() => {
  say(`cpu ${now().join(" ")}`);
}, 1000).unref();
