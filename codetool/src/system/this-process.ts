import { readFileSync } from "node:fs";
import process from "node:process";

/** Identifies this process among all others, and says whether another one is still alive. */
export function thisProcess(): {
  readonly id: number;
  readonly mark: string;
  readonly isAlive: (id: number, mark: string) => boolean;
} {
  return { id: process.pid, mark: startOf(process.pid), isAlive };
}

function isAlive(id: number, mark: string): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const start = startOf(id);
  // The id was given to another process since: after a restart of the machine, say.
  return mark === "" || start === "" || start === mark;
}

/** When a process started, in the system's own count; empty where the system does not say. */
function startOf(id: number): string {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name before it may hold anything, brackets too.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
