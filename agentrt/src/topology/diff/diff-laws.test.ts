import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Arbitrary,
  array,
  assert as assertProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
  shuffledSubarray,
  tuple,
} from "fast-check";
import { repetitions } from "testkit";
import { nodeKinds } from "../../node-kinds/index.ts";
import type { JsonObject, JsonValue } from "../../core/values/json.ts";
import {
  countDifferences,
  type Difference,
  diffTopologies,
  isSupervisorNode,
  parseTopology,
  type SupervisorNode,
  type Topology,
  walkTree,
} from "../index.ts";

// Few names and few values, so that two topologies have much in common.
const names = ["a", "b", "c", "d", "e", "f"];
const supervisorNames = ["s", "t", "u"];
const config = record({ x: integer({ min: 0, max: 1 }), y: boolean() }, { requiredKeys: [] });
const agent = record({
  type: constantFrom("agents.A", "./b.ts#B"),
  config,
  process: option(constantFrom("w"), { nil: undefined }),
});
const gateway = record({
  type: constantFrom("http_gateway"),
  port: constantFrom(0),
  request_timeout: integer({ min: 1, max: 2 }),
  routes: shuffledSubarray(["GET", "POST", "PUT"]).map((methods) =>
    methods.map((method) => ({ method, path: "/x", agent: "fixed" })),
  ),
});
const leaf = oneof(agent, gateway);
const supervisorFields = record({
  strategy: constantFrom("ONE_FOR_ONE", "rest_for_one"),
  max_restarts: integer({ min: 0, max: 1 }),
});

/** A topology file as JSON, which is YAML: leaves and supervisors, each below the root or below an earlier supervisor. */
const files: Arbitrary<Topology> = record({
  rootName: constantFrom("root", "root", "main", "s"),
  root: supervisorFields,
  leaves: tuple(shuffledSubarray(names), array(leaf, { minLength: 6, maxLength: 6 })),
  supervisors: shuffledSubarray(supervisorNames),
  fields: array(supervisorFields, { minLength: 3, maxLength: 3 }),
  places: array(integer({ min: 0, max: 3 }), { minLength: 9, maxLength: 9 }),
  transport: record({ type: constantFrom("in_process", "nats") }),
  models: shuffledSubarray(["p", "q", "r"]),
  state: option(record({ type: constantFrom("stores.Own", "stores.Other"), config }), {
    nil: undefined,
  }),
}).map((parts) => {
  const rootChildren: unknown[] = [{ agent: { name: "fixed", type: "agents.Fixed" } }];
  const holders = [rootChildren];
  const holderOf = (index: number) =>
    holders[(parts.places[index] ?? 0) % holders.length] ?? rootChildren;
  parts.supervisors
    .filter((name) => name !== parts.rootName)
    .forEach((name, index) => {
      const children: unknown[] = [{ agent: { name: `in-${name}`, type: "agents.Filler" } }];
      holderOf(index).push({ supervisor: { name, ...parts.fields[index], children } });
      holders.push(children);
    });
  const [leafNames, bodies] = parts.leaves;
  leafNames.forEach((name, index) => holderOf(index + 3).push({ name, ...bodies[index] }));
  const root = { name: parts.rootName, ...parts.root, children: rootChildren };
  const plugins = { models: parts.models.map((type) => ({ type })), state: parts.state };
  const text = JSON.stringify({ transport: parts.transport, plugins, supervision: root });
  const { topology, problems } = parseTopology(text, { fileName: "t", kinds: nodeKinds });
  assert.deepEqual(problems, []);
  assert.ok(topology);
  return topology;
});

const diff = (a: Topology, b: Topology) => diffTopologies(a, b, nodeKinds);

/** A topology without positions: what two files must have in common for there to be no difference. */
function meaningOf({ transport, plugins, supervision }: Topology): unknown {
  const isPlace = (key: string): boolean =>
    ["at", "path", "line1", "column1", "settings"].includes(key);
  const meaning = { transport, plugins, supervision };
  return JSON.parse(
    JSON.stringify(meaning, (key, value: unknown) => (isPlace(key) ? undefined : value)),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

/** The other way round; a renamed root is told under the name of the second file. */
function mirror(difference: Difference): Difference {
  const { section, change, subject, field, from, to } = difference;
  const turned = { added: "removed", removed: "added" } as const;
  const isRenamed = section === "supervision" && field === "name";
  return {
    section,
    change: change === "added" || change === "removed" ? turned[change] : change,
    subject: isRenamed && typeof from === "string" ? from : subject,
    field,
    ...(to === undefined ? {} : { from: to }),
    ...(from === undefined ? {} : { to: from }),
  };
}

/** All subjects of a renamed root by one name, in an order that does not depend on the files. */
function normal(differences: readonly Difference[], a: Topology, b: Topology): string[] {
  const isRenamed = differences.some(
    ({ section, field }) => section === "supervision" && field === "name",
  );
  const roots = [a.supervision.name, b.supervision.name];
  return differences
    .map((difference) =>
      isRenamed && difference.section === "supervision" && roots.includes(difference.subject)
        ? { ...difference, subject: "the root" }
        : difference,
    )
    .map(({ section, change, subject, field, from = null, to = null }) =>
      JSON.stringify([section, change, subject, field, from, to]),
    )
    .sort();
}

test("diffTopologies() of a topology and itself is empty", () => {
  assertProperty(property(files, (a) => assert.deepEqual(diff(a, a), [])));
});

test("diffTopologies() is empty exactly when both files mean the same", () => {
  assertProperty(
    property(files, files, (a, b) => {
      assert.equal(diff(a, b).length === 0, isSame(meaningOf(a), meaningOf(b)));
    }),
    { numRuns: repetitions(120) },
  );
});

test("diffTopologies() the other way round is its mirror", () => {
  assertProperty(
    property(files, files, (a, b) => {
      assert.deepEqual(normal(diff(a, b).map(mirror), a, b), normal(diff(b, a), a, b));
    }),
    { numRuns: repetitions(120) },
  );
});

/** The name of every node's supervisor. */
function parentsOf(root: SupervisorNode): Map<string, JsonValue> {
  const parents = new Map<string, JsonValue>([[root.name, null]]);
  for (const node of walkTree(root))
    if (isSupervisorNode(node))
      for (const child of node.children) parents.set(child.name, node.name);
  return parents;
}

test("the differences, applied to the first tree, give the places of the second; the counts add up", () => {
  assertProperty(
    property(files, files, (a, b) => {
      const differences = diff(a, b);
      const parents = parentsOf(a.supervision);
      for (const { section, change, subject, field, from } of differences) {
        if (section !== "supervision") continue;
        if (change === "removed" && field === "") parents.delete(subject);
        if (field === "name" && typeof from === "string") {
          parents.delete(from);
          parents.set(subject, null);
          for (const [name, parent] of parents) if (parent === from) parents.set(name, subject);
        }
      }
      for (const { section, change, subject, field, to } of differences) {
        if (section !== "supervision" || field !== "") continue;
        if (change === "moved") parents.set(subject, to ?? null);
        if (change === "added") parents.set(subject, (to as JsonObject)["parent"] ?? null);
      }
      assert.deepEqual(parents, parentsOf(b.supervision));
      const counts = countDifferences(differences);
      assert.equal(
        counts.changeCount + counts.additionCount + counts.removalCount,
        differences.length,
      );
    }),
    { numRuns: repetitions(120) },
  );
});
