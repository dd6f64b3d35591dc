import process from "node:process";
import { createRealSystem, type Log } from "../../core/index.ts";

/** How long output that nobody reads is waited for. */
const flushTimeoutMs = 500;

/**
 * Logs, at level debug, what keeps the process alive although the work is done: timers, sockets and the like of user
 * code, by kind.
 *
 * @param log Of the run.
 */
export function tellLeftBehind(log: Log): void {
  if (log.isEnabled?.("debug") === false) return;
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (!ownKinds.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  if (counts.size === 0) return;
  const left = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
  log.debug("the process ends although user code left something open", { left });
}

/** Of this program's own output and signals. */
const ownKinds = new Set(["PipeWrap", "TTYWrap", "SignalWrap", "FSReqCallback"]);

/**
 * Ends the process, whatever user code left behind: timers and sockets keep no process alive whose work is done.
 *
 * @param exitCode Of the process.
 * @param options.isOutputVital False where the process ends even though nobody reads its output.
 */
export async function leaveProcess(
  exitCode: number,
  options: { readonly isOutputVital: boolean },
): Promise<never> {
  const written = Promise.all([process.stdout, process.stderr].map(flush));
  if (options.isOutputVital) await written;
  else {
    const late = new Promise<void>((resolve) => {
      createRealSystem().setTimer(flushTimeoutMs, resolve);
    });
    await Promise.race([written, late]);
  }
  process.exit(exitCode);
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
