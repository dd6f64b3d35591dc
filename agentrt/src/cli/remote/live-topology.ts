import type { Style } from "../command.ts";
import { askControl } from "./control-plane.ts";
import { type LiveCircuit, readLiveCircuits } from "./live-circuits.ts";
import { countOf, shownText } from "./wire-values.ts";

/** Longest wait for the running topology. */
export const liveQueryTimeoutMs = 1000;
const nodeDepthMax = 64;

/** A node of a running tree, as far as it is drawn. */
export interface LiveNode {
  readonly name: string;
  readonly type: string;
  readonly status: string | undefined;
  readonly strategy: string | undefined;
  readonly restartCount: number;
  readonly crashesInWindow: number;
  /** Children of a dynamic supervisor now, and how many it may have. */
  readonly liveCount: number | undefined;
  readonly childCountMax: number | undefined;
  /** Keys of a keyed agent that have an object now, how many may, and how many are out of their budget. */
  readonly residentCount: number | undefined;
  readonly residentCountMax: number | undefined;
  readonly failedCount: number;
  /** Members of a pool that handle a message now, and messages that wait for one. */
  readonly busyCount: number | undefined;
  readonly mailboxDepth: number;
  readonly children: readonly LiveNode[];
}

/** A running tree, and its circuits. */
export interface LiveTopology {
  readonly root: LiveNode;
  readonly circuits: readonly LiveCircuit[];
}

/**
 * Asks a running topology for its tree.
 *
 * @param url The URL of `/topology`.
 * @param headers Sent along, for an operator's authentication.
 * @returns The tree, or `undefined` when nothing that is a tree came within `liveQueryTimeoutMs`.
 */
export async function fetchLiveTopology(
  url: string,
  headers: Headers,
): Promise<LiveTopology | undefined> {
  const answer = await askControl(url, { headers, timeoutMs: liveQueryTimeoutMs });
  // Not running, not answering in time, or no control plane of ours: the static tree is the answer then.
  const root = answer.kind === "body" ? readLiveNode(answer.body, 0) : undefined;
  if (root === undefined || answer.kind !== "body") return undefined;
  return { root, circuits: readLiveCircuits(answer.body) };
}

function readLiveNode(value: unknown, depth: number): LiveNode | undefined {
  if (typeof value !== "object" || value === null || depth > nodeDepthMax) return undefined;
  const fields = value as { readonly [name: string]: unknown };
  const name = shownText(fields["name"]);
  const type = shownText(fields["type"]);
  if (name === undefined || type === undefined) return undefined;
  const children = Array.isArray(fields["children"]) ? (fields["children"] as unknown[]) : [];
  return {
    name,
    type,
    status: shownText(fields["status"]),
    strategy: shownText(fields["strategy"]),
    restartCount: countOf(fields["restart_count"]) ?? 0,
    crashesInWindow: countOf(fields["crashes_in_window"]) ?? 0,
    liveCount: countOf(fields["live_count"]),
    childCountMax: countOf(fields["max_children"]),
    residentCount: countOf(fields["resident_count"]),
    residentCountMax: countOf(fields["max_resident"]),
    failedCount: countOf(fields["failed_count"]) ?? 0,
    busyCount: countOf(fields["busy_count"]),
    mailboxDepth: countOf(fields["mailbox_depth"]) ?? 0,
    children: children.flatMap((child) => readLiveNode(child, depth + 1) ?? []),
  };
}

/**
 * Draws a running tree.
 *
 * @param root The tree.
 * @param style Colours of statuses.
 * @returns Lines joined by line feeds, with one at the end.
 */
export function renderLiveTopology(root: LiveNode, style: Style): string {
  const lines = [`${nodeLine(root, style)}  (live)`];
  renderChildren(root, "", { lines, style });
  return `${lines.join("\n")}\n`;
}

function renderChildren(
  parent: LiveNode,
  indent: string,
  drawing: { lines: string[]; style: Style },
): void {
  parent.children.forEach((child, index) => {
    const isLast = index === parent.children.length - 1;
    drawing.lines.push(`${indent}${isLast ? "└── " : "├── "}${nodeLine(child, drawing.style)}`);
    renderChildren(child, `${indent}${isLast ? "    " : "│   "}`, drawing);
  });
}

function nodeLine(node: LiveNode, style: Style): string {
  const isDynamic = node.liveCount !== undefined;
  const isKeyed = node.residentCount !== undefined;
  const isPool = node.busyCount !== undefined;
  const status = node.status === undefined ? "" : colouredStatus(node.status, style);
  return [
    node.name,
    node.strategy ?? "",
    isDynamic ? `live: ${node.liveCount}/${node.childCountMax ?? "∞"}` : "",
    isKeyed ? `resident: ${node.residentCount}/${node.residentCountMax ?? "∞"}` : "",
    isPool ? `busy: ${node.busyCount}/${node.children.length}` : "",
    isPool && node.mailboxDepth > 0 ? style.yellow(`waiting: ${node.mailboxDepth}`) : "",
    node.failedCount > 0 ? style.yellow(`failed: ${node.failedCount}`) : "",
    (isDynamic || isKeyed || isPool) && status !== "" ? `status: ${status}` : status,
    isDynamic ? "[dyn]" : "",
    isKeyed ? "[keyed]" : "",
    isPool ? "[pool]" : "",
    node.crashesInWindow > 0 ? style.yellow(`crashes: ${node.crashesInWindow}`) : "",
    node.restartCount > 0 ? style.yellow(`restarts: ${node.restartCount}`) : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function colouredStatus(status: string, style: Style): string {
  if (status === "RUNNING") return style.green(status);
  if (status === "CRASHED") return style.red(status);
  if (status === "SUSPENDED" || status === "STOPPED") return style.grey(status);
  return style.yellow(status);
}
