import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { nodeKinds } from "../../node-kinds/index.ts";
import {
  isSupervisorNode,
  type KindNode,
  parseTopology,
  parseTopologyFile,
  type ParsedTopology,
  type Topology,
  walkTree,
} from "../index.ts";

/** The folder of the fixtures, with a slash. */
export const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** Parses a text. */
export function parse(text: string): ParsedTopology {
  return parseTopology(text, { fileName: "t.yaml", kinds: nodeKinds });
}

/** Reads a fixture that has no problems. */
export function readOk(name: string): Topology {
  const parsed = parseTopologyFile(`${fixtures}ok/${name}.yaml`, { kinds: nodeKinds });
  assert.deepEqual(parsed.problems, []);
  assert.ok(parsed.topology);
  return parsed.topology;
}

/** The node of a name, which is no supervisor. */
export function nodeOf(topology: Topology, name: string): KindNode {
  const node = [...walkTree(topology.supervision)].find((each) => each.name === name);
  assert.ok(node !== undefined && !isSupervisorNode(node), name);
  return node;
}
