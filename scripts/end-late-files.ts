import { execFileSync } from "node:child_process";
import type { run } from "node:test";
import process from "node:process";

/** A process of this machine. */
interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
}

/**
 * Ends each test file of a run that has not ended in time, with all that it has started, by SIGKILL. The limit of
 * `run` itself sends SIGTERM, which a file that spins or has a handler for it survives, and waits for its descendants.
 *
 * Where there is no `ps`, as on Windows, nothing is ended here.
 *
 * @param stream What `run` returned.
 * @param options.timeoutMs For each file, from the start of its process.
 * @param options.onLate Called with a file that is ended.
 */
export function endLateFiles(
  stream: ReturnType<typeof run>,
  options: { readonly timeoutMs: number; readonly onLate: (file: string) => void },
): void {
  const timers = new Map<string, NodeJS.Timeout>();
  stream.on("test:dequeue", ({ file, name, nesting }) => {
    // The file itself, and not a test in it.
    if (file === undefined || name !== file || nesting !== 0) return;
    const end = (): void => {
      const pids = pidsOf(file);
      if (pids.length === 0) return;
      options.onLate(file);
      for (const pid of pids) kill(pid);
    };
    timers.set(file, setTimeout(end, options.timeoutMs));
  });
  stream.on("test:complete", ({ name, nesting }) => {
    if (nesting === 0) clearTimeout(timers.get(name));
  });
  stream.on("close", () => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
}

/** The process of a test file, and all that descend from it. */
function pidsOf(file: string): number[] {
  const all = runningProcesses();
  const first = all.find(
    ({ parentPid, command }) => parentPid === process.pid && command.endsWith(file),
  );
  const found = first === undefined ? [] : [first.pid];
  for (const parent of found)
    found.push(...all.filter(({ parentPid }) => parentPid === parent).map(({ pid }) => pid));
  return found;
}

function runningProcesses(): RunningProcess[] {
  try {
    const args = ["-A", "-ww", "-o", "pid=,ppid=,args="];
    const text = execFileSync("ps", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    return text.split("\n").flatMap((line) => {
      const [, pid, parentPid, command = ""] = /^ *(\d+) +(\d+) +(.*?) *$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), parentPid: Number(parentPid), command }];
    });
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
