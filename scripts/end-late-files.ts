import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import type { run } from "node:test";

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
 * @param options.timeoutMsOf How long a file may take from the start of its process, ms.
 * @param options.onLate Called with a file that is ended.
 */
export function endLateFiles(
  stream: ReturnType<typeof run>,
  options: {
    readonly timeoutMsOf: (file: string) => number;
    readonly onLate: (file: string) => void;
  },
): void {
  const timers = new Map<string, NodeJS.Timeout>();
  stream.on("test:dequeue", ({ file, name, nesting }) => {
    if (file === undefined || !isFile({ file, name, nesting })) return;
    const end = (): void => {
      const pids = pidsOf(name);
      if (pids.length === 0) return;
      options.onLate(file);
      for (const pid of pids) kill(pid);
    };
    timers.set(name, setTimeout(end, options.timeoutMsOf(file)));
  });
  stream.on("test:complete", ({ name, nesting }) => {
    if (nesting === 0) clearTimeout(timers.get(name));
  });
  stream.on("close", () => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
}

/** Whether an event is of a test file itself, which is named as it was given to `run`, and not of a test in it. */
export function isFile(event: {
  readonly file?: string | undefined;
  readonly name: string;
  readonly nesting: number;
}): boolean {
  return event.nesting === 0 && event.file !== undefined && resolve(event.name) === event.file;
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
