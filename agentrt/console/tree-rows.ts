import type { KeyBody, KeyedNodeBody, KeysBody, TreeNodeBody } from "../src/control/wire.ts";
import { countOf } from "./format.ts";

/** A line of the tree. */
export interface TreeRow {
  readonly name: string;
  readonly depth: number;
  /** `supervisor`, `agent`, `pool` and so on. */
  readonly kind: string;
  /** Of what is an agent, or has one status; of a supervisor the worst one below it. */
  readonly status: string;
  readonly restartCount: number;
  /** What else there is to say. */
  readonly note: string;
  /** How many nodes are below it. */
  readonly belowCount: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
  readonly processId: string;
  /** Place among its siblings, from 1, and how many they are. */
  readonly position: number;
  readonly siblingCount: number;
}

/** A tree as lines, and how many agents have which status. */
export interface FlatTree {
  readonly rows: readonly TreeRow[];
  readonly counts: ReadonlyMap<string, number>;
}

/** The worst first. */
const byBadness = ["CRASHED", "STOPPED", "STOPPING", "SUSPENDED", "INITIALIZING", "RUNNING"];

/** What is shown of a tree. */
export interface TreeFilter {
  /** In a name; empty for all. */
  readonly text: string;
  /** A status, `not RUNNING`, or empty for all. */
  readonly status: string;
  /** Names of the nodes whose children are not shown. */
  readonly closed: ReadonlySet<string>;
  /** Names of the keyed agents whose keys are shown. */
  readonly opened: ReadonlySet<string>;
  /** The keys of these that fit, as far as they are known. */
  readonly keys: ReadonlyMap<string, KeysBody>;
}

/** A key below its keyed agent. */
interface KeyNode extends KeyBody {
  readonly type: "key";
  readonly process_id: string;
}

/** Makes the lines of a tree. With a filter, those that fit and what is above them. */
export function flatten(root: TreeNodeBody, filter: TreeFilter): FlatTree {
  const counts = new Map<string, number>();
  const rows: TreeRow[] = [];
  const isFiltered = filter.text !== "" || filter.status !== "";
  const visit = (
    node: TreeNodeBody | KeyNode,
    at: { readonly depth: number; readonly position: number; readonly siblingCount: number },
  ): { worst: number; below: number; isShown: boolean } => {
    const own = "status" in node ? node.status : undefined;
    if (own !== undefined && node.type !== "dynamic_supervisor" && node.type !== "key")
      counts.set(own, (counts.get(own) ?? 0) + 1);
    const children = childrenOf(node, filter);
    const isKeyed = node.type === "keyed";
    const isOpen = isKeyed
      ? filter.opened.has(node.name)
      : isFiltered || !filter.closed.has(node.name);
    const index = rows.length;
    rows.push(undefined as unknown as TreeRow);
    let worst = own === undefined ? byBadness.length - 1 : badnessOf(own);
    let below = 0;
    let isShown = !isFiltered || fits(node.name, own, filter);
    children.forEach((child, place) => {
      const length = rows.length;
      const place1 = { position: place + 1, siblingCount: children.length };
      const found = visit(child, { depth: at.depth + 1, ...place1 });
      worst = Math.min(worst, found.worst);
      below += 1 + found.below;
      isShown ||= found.isShown;
      if (!isOpen || !found.isShown) rows.length = length;
    });
    rows[index] = {
      ...at,
      name: node.name,
      kind: node.type,
      status: own ?? byBadness[worst] ?? "RUNNING",
      restartCount: node.restart_count,
      note: noteOf(node, filter),
      belowCount: isKeyed ? keyCountOf(node) : below,
      hasChildren: isKeyed ? isOpen || keyCountOf(node) > 0 : children.length > 0,
      isOpen,
      processId: node.process_id,
    };
    return { worst, below, isShown };
  };
  const { isShown } = visit(root, { depth: 0, position: 1, siblingCount: 1 });
  return { rows: isShown ? rows : [], counts };
}

function childrenOf(
  node: TreeNodeBody | KeyNode,
  { opened, keys }: TreeFilter,
): readonly (TreeNodeBody | KeyNode)[] {
  if (node.type !== "keyed") return "children" in node ? node.children : [];
  if (!opened.has(node.name)) return [];
  const { process_id } = node;
  return (keys.get(node.name)?.keys ?? []).map((key) => ({ ...key, type: "key", process_id }));
}

/** Keys that are there, in whatever way. */
function keyCountOf(node: KeyedNodeBody): number {
  return node.resident_count + node.waiting_count + node.failed_count;
}

/**
 * Says which keys of a keyed agent are to be asked for, where names are filtered: one that is called so itself shows all.
 *
 * @param name Of the keyed agent.
 * @param text In the names that are wanted.
 */
export function keyFilterOf(name: string, text: string): string {
  const [own, wanted] = [`${name}/`.toLowerCase(), text.toLowerCase()];
  if (own.includes(wanted)) return "";
  return wanted.startsWith(own) ? text.slice(own.length) : text;
}

function badnessOf(status: string): number {
  const found = byBadness.indexOf(status);
  return found === -1 ? byBadness.length - 1 : found;
}

function fits(name: string, status: string | undefined, filter: TreeFilter): boolean {
  if (!name.toLowerCase().includes(filter.text.toLowerCase())) return false;
  if (filter.status === "") return true;
  if (status === undefined) return false;
  return filter.status === "not RUNNING" ? status !== "RUNNING" : status === filter.status;
}

function noteOf(node: TreeNodeBody | KeyNode, { opened, keys }: TreeFilter): string {
  switch (node.type) {
    case "supervisor":
      return `${node.strategy}${node.crashes_in_window > 0 ? `, ${countOf(node.crashes_in_window, "crash", "crashes")} lately` : ""}`;
    case "dynamic_supervisor":
      return `${node.live_count} of ${node.max_children ?? "any number"} children`;
    case "pool":
      return `${node.busy_count} busy, ${node.min} to ${node.max} members, ${node.mailbox_depth} wait`;
    case "keyed":
      return [
        opened.has(node.name) && (keys.get(node.name)?.next ?? null) !== null
          ? "the first are shown: filter by name"
          : "",
        `${countOf(node.resident_count, "key")} in memory, ${node.mailbox_depth} wait`,
        node.failed_count > 0 ? `${node.failed_count} refuse` : "",
      ]
        .filter((part) => part !== "")
        .join(", ");
    case "key":
      return [node.mailbox_depth > 0 ? `${node.mailbox_depth} wait` : "", node.suspend_category]
        .filter((part) => part !== "" && part !== null)
        .join(", ");
    default:
      return [
        node.halted === undefined ? "" : `halted by ${node.halted.initiated_by}`,
        node.approvals === undefined ? "" : "waits for an approval",
        node.halted === undefined && node.approvals === undefined
          ? (node.suspend_category ?? "")
          : "",
      ]
        .filter((part) => part !== "")
        .join(", ");
  }
}
