import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/**
 * A child that leads a process group, and all processes that it started: its group, and on Linux also those that had left
 * the group by the time of the first signal. On Windows there are no signals: the tree is ended.
 */
export class ProcessTree {
  readonly #leaderId: number;
  readonly #strayIds = new Set<number>();

  constructor(leaderId: number) {
    this.#leaderId = leaderId;
  }

  /** Sends a signal to all that still run. */
  signal(signal: NodeJS.Signals): void {
    const leaderId = this.#leaderId;
    if (process.platform === "win32") {
      const killer = spawn("taskkill", ["/pid", String(leaderId), "/t", "/f"], { stdio: "ignore" });
      killer.on("error", () => sendTo(leaderId, "SIGKILL"));
      return;
    }
    if (process.platform === "linux")
      for (const id of descendantsOf(leaderId)) this.#strayIds.add(id);
    sendTo(-leaderId, signal);
    for (const id of this.#strayIds) sendTo(id, signal);
  }
}

function sendTo(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    // It has ended already, or belongs to somebody else.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** The descendants of a process that are in another group than it. */
function descendantsOf(leaderId: number): number[] {
  const childrenOf = new Map<number, number[]>();
  const groupOf = new Map<number, number>();
  for (const name of listProcesses()) {
    const id = Number(name);
    const fields = fieldsOf(id);
    if (fields === undefined) continue;
    groupOf.set(id, fields.group);
    const siblings = childrenOf.get(fields.parent);
    if (siblings === undefined) childrenOf.set(fields.parent, [id]);
    else siblings.push(id);
  }
  const found: number[] = [];
  const queue = [leaderId];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const children = childrenOf.get(id) ?? [];
    queue.push(...children);
    found.push(...children.filter((child) => groupOf.get(child) !== leaderId));
  }
  return found;
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    // This container has no /proc: only the group can be reached.
    return [];
  }
}

function fieldsOf(id: number): { readonly parent: number; readonly group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name before it may hold anything, brackets too.
    const [, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), group: Number(group) };
  } catch {
    // It ended while we looked.
    return undefined;
  }
}
