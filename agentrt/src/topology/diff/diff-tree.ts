import type { JsonObject, JsonValue } from "../../core/index.ts";
import { diffFields, orderDifference } from "./diff-values.ts";
import { type Difference, differenceOf } from "./difference.ts";
import {
  isSupervisorNode,
  type SupervisorNode,
  type TopologyNode,
  type NodeKind,
  type NodeKindTable,
} from "../model/index.ts";
import { printSupervisorFields } from "../printing/index.ts";

/**
 * Compares two trees. Nodes are matched by name, wherever they are; the two roots match each other also when the
 * root got a new name that no other node has or had. A node whose kind changed is another node.
 *
 * @param from The first file's root.
 * @param to The second file's root.
 * @param kinds The table both were parsed with.
 * @returns The differences: nodes of the second tree in its order, what was removed after its siblings.
 */
export function diffTrees(
  from: SupervisorNode,
  to: SupervisorNode,
  kinds: NodeKindTable,
): Difference[] {
  const before = placesOf(from);
  const after = placesOf(to);
  const areRootsPaired = from.name === to.name || (!after.has(from.name) && !before.has(to.name));
  const diff: TreeDiff = {
    kinds: new Map(kinds.kinds.map((kind) => [kind.name, kind])),
    before: (node) => (areRootsPaired && node === to ? { node: from } : before.get(node.name)),
    after: (node) => (areRootsPaired && node === from ? { node: to } : after.get(node.name)),
    found: [],
  };
  visit({ node: to }, diff);
  if (diff.after(from) === undefined) remove({ node: from }, diff);
  return diff.found;
}

/** A node and the supervisor above it; the root has none. */
interface Place {
  readonly node: TopologyNode;
  readonly parent?: SupervisorNode;
}

interface TreeDiff {
  readonly kinds: ReadonlyMap<string, NodeKind>;
  /** Where the node of the second tree is in the first. */
  readonly before: (node: TopologyNode) => Place | undefined;
  /** Where the node of the first tree is in the second. */
  readonly after: (node: TopologyNode) => Place | undefined;
  readonly found: Difference[];
}

function placesOf(root: SupervisorNode): Map<string, Place> {
  const places = new Map<string, Place>([[root.name, { node: root }]]);
  const enter = (parent: SupervisorNode): void => {
    for (const node of parent.children) {
      places.set(node.name, { node, parent });
      if (isSupervisorNode(node)) enter(node);
    }
  };
  enter(root);
  return places;
}

function visit(place: Place, diff: TreeDiff): void {
  const { node } = place;
  const old = diff.before(node);
  if (old === undefined) add(place, diff);
  else if (isOtherKind(old.node, node, diff)) {
    remove(old, diff);
    add(place, diff);
  } else compare(old, place, diff);
  if (!isSupervisorNode(node)) return;
  for (const child of node.children) visit({ node: child, parent: node }, diff);
  if (old === undefined || !isSupervisorNode(old.node)) return;
  for (const child of old.node.children)
    if (diff.after(child) === undefined) remove({ node: child, parent: old.node }, diff);
}

/** Kinds that name a class have the same settings: one may become the other. */
function isOtherKind(old: TopologyNode, node: TopologyNode, { kinds }: TreeDiff): boolean {
  if (old.kind === node.kind) return false;
  const isClass = (kind: string): boolean => kinds.get(kind)?.form === "class";
  return !isClass(old.kind) || !isClass(node.kind);
}

function add({ node, parent }: Place, { found }: TreeDiff): void {
  const place = { section: "supervision", subject: node.name, field: "" } as const;
  found.push(differenceOf(place, { from: undefined, to: describe(node, parent) }));
}

/** Tells that a node is gone, and all below it that went with it. */
function remove({ node, parent }: Place, diff: TreeDiff): void {
  const place = { section: "supervision", subject: node.name, field: "" } as const;
  diff.found.push(differenceOf(place, { from: describe(node, parent), to: undefined }));
  if (!isSupervisorNode(node)) return;
  for (const child of node.children)
    if (diff.after(child) === undefined) remove({ node: child, parent: node }, diff);
}

function compare(old: Place, place: Place, diff: TreeDiff): void {
  const { node } = place;
  const about = { section: "supervision", subject: node.name } as const;
  if (old.node.name !== node.name)
    diff.found.push(
      differenceOf({ ...about, field: "name" }, { from: old.node.name, to: node.name }),
    );
  const oldParent = old.parent === undefined ? undefined : diff.after(old.parent)?.node;
  const isParentKept =
    oldParent === place.parent && (old.parent === undefined) === (place.parent === undefined);
  if (!isParentKept)
    diff.found.push(
      Object.freeze({
        ...about,
        change: "moved",
        field: "",
        from: old.parent?.name ?? null,
        to: place.parent?.name ?? null,
      }),
    );
  diff.found.push(
    ...diffFields({
      ...about,
      from: fieldsOf(old.node),
      to: fieldsOf(node),
      itemKeys: diff.kinds.get(node.kind)?.itemKeys ?? {},
    }),
  );
  if (!isSupervisorNode(node) || !isSupervisorNode(old.node)) return;
  const order = orderDifference(namesAfter(old.node, diff), namesOf(node));
  if (order !== undefined)
    diff.found.push(Object.freeze({ ...about, change: "reordered", field: "children", ...order }));
}

function namesOf(supervisor: SupervisorNode): string[] {
  return supervisor.children.map((child) => child.name);
}

/** The children's names as the second file has them, so that a root that became a child is found again. */
function namesAfter(supervisor: SupervisorNode, { after }: TreeDiff): string[] {
  return supervisor.children.map((child) => after(child)?.node.name ?? child.name);
}

/** The settings of a node under the keys of the file, without its name, place and children. */
function fieldsOf(node: TopologyNode): JsonObject {
  if (isSupervisorNode(node)) return printSupervisorFields(node);
  return {
    kind: node.kind,
    ...(node.type === undefined ? {} : { type: node.type }),
    ...(node.process === undefined ? {} : { process: node.process }),
    ...node.declared,
  };
}

function describe(node: TopologyNode, parent: SupervisorNode | undefined): JsonValue {
  return { kind: node.kind, ...fieldsOf(node), parent: parent?.name ?? null };
}
