import { numberIn, objectsOf, textIn, type WireObject } from "../watching/index.ts";

/** A node of the tree as one line of the tree pane. */
export interface TreeRow {
  readonly name: string;
  /** `supervisor`, `agent`, `pool` and the like. */
  readonly type: string;
  /** Empty for a supervisor, which has none. */
  readonly status: string;
  /** What leads from the parent to it: `│  ├─ `. */
  readonly guides: string;
  readonly restartCount: number;
  readonly childCount: number;
  /** True where its children are left out. */
  readonly isCollapsed: boolean;
  /** As the server gave it. */
  readonly node: WireObject;
}

/** Deeper nodes are not read: no tree is that deep, and an answer must not fill the stack. */
export const depthMax = 64;

/** Which rows there are. */
export interface TreeChoice {
  /** Names of nodes whose children are left out. */
  readonly collapsed: ReadonlySet<string>;
  /** Only nodes with this in their names or statuses, in any case, and those above them; empty for all. */
  readonly filter: string;
}

/**
 * Makes the rows of a tree.
 *
 * @param body Answer of `/topology`.
 * @param choice Which of its nodes.
 */
export function treeRows(body: WireObject, choice: TreeChoice): TreeRow[] {
  const root = wantedNode(body, choice.filter.toLowerCase(), 0);
  const rows: TreeRow[] = [];
  if (root !== undefined) addRows(root, { rows, choice }, { own: "", below: "" });
  return rows;
}

/** A node with those of its children that are wanted. */
interface WantedNode {
  readonly node: WireObject;
  readonly name: string;
  readonly status: string;
  readonly children: readonly WantedNode[];
}

/** @returns Undefined where neither the node nor one below it has what is looked for. */
function wantedNode(node: WireObject, filter: string, depth: number): WantedNode | undefined {
  const name = textIn(node["name"]);
  if (name === "" || depth > depthMax) return undefined;
  const status = textIn(node["status"]);
  const children = objectsOf(node["children"])
    .map((child) => wantedNode(child, filter, depth + 1))
    .filter((child) => child !== undefined);
  const isMatch = filter === "" || `${name} ${status}`.toLowerCase().includes(filter);
  return isMatch || children.length > 0 ? { node, name, status, children } : undefined;
}

function addRows(
  { node, name, status, children }: WantedNode,
  made: { readonly rows: TreeRow[]; readonly choice: TreeChoice },
  guides: { readonly own: string; readonly below: string },
): void {
  const { rows, choice } = made;
  // What is looked for is shown, also where it is folded away.
  const isCollapsed = children.length > 0 && choice.filter === "" && choice.collapsed.has(name);
  rows.push({
    name,
    type: textIn(node["type"]),
    status,
    guides: guides.own,
    restartCount: numberIn(node["restart_count"]),
    childCount: children.length,
    isCollapsed,
    node,
  });
  if (isCollapsed) return;
  children.forEach((child, index) => {
    const isLast = index === children.length - 1;
    addRows(child, made, {
      own: `${guides.below}${isLast ? "└─ " : "├─ "}`,
      below: `${guides.below}${isLast ? "   " : "│  "}`,
    });
  });
}
