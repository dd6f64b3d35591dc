import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Arbitrary,
  array,
  assert as assertProperty,
  constant,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  property,
  record,
  uniqueArray,
} from "fast-check";
import { stringify } from "yaml";
import { repetitions } from "testkit";
import { mergeOverlays, toOverlay, toSource } from "./source/merge-parts.ts";
import { mergeParts, ProblemLog, readDocument, type SourceNode, toPlain } from "./source/index.ts";

const keys = constantFrom("a", "b", "config", "children", "strategy");
const names = constantFrom("n1", "n2", "n3", "n4");

const { tree } = letrec<{ tree: unknown; node: unknown; value: unknown }>((tie) => ({
  value: oneof(
    { depthSize: "small" },
    integer({ min: 0, max: 3 }),
    constant(null),
    array(integer({ min: 0, max: 3 }), { maxLength: 3 }),
    tie("tree"),
  ),
  node: oneof(
    record({ name: names, a: tie("value") }),
    record({ agent: record({ name: names, b: tie("value") }) }),
    record({ supervisor: record({ name: names, children: array(tie("node"), { maxLength: 2 }) }) }),
    names.map((name) => ({ [name]: null })),
  ),
  tree: oneof(
    { depthSize: "small" },
    dictionary(keys, tie("value"), { maxKeys: 4 }),
    record({
      name: names,
      children: uniqueArray(tie("node"), { maxLength: 4, selector: nameOf }),
    }),
  ),
}));

function nameOf(node: unknown): string {
  const item = node as { [key: string]: { name?: string } | null };
  const body = item["agent"] ?? item["supervisor"] ?? item;
  const { name } = body;
  return typeof name === "string" ? name : (Object.keys(item)[0] ?? "");
}

function source(value: unknown): SourceNode {
  const log = new ProblemLog("t");
  const read = readDocument({ fileName: "t", text: stringify(value) }, { log });
  assert.ok(read, JSON.stringify([value, log.problems]));
  return read;
}

const noDefault = (): undefined => undefined;

test("merging is associative: files may be grouped in any way, as long as their order is kept", () => {
  assertProperty(
    property(
      tree as Arbitrary<object>,
      tree as Arbitrary<object>,
      tree as Arbitrary<object>,
      (a, b, c) => {
        const bottom = toOverlay(source(a), { defaultName: noDefault, isBottom: true });
        const [over, top] = [b, c].map((each) =>
          toOverlay(source(each), { defaultName: noDefault, isBottom: false }),
        );
        assert.ok(over !== undefined && top !== undefined);
        const left = toSource(mergeOverlays(mergeOverlays(bottom, over), top));
        const right = toSource(mergeOverlays(bottom, mergeOverlays(over, top)));
        assert.deepEqual(plain(left), plain(right));
      },
    ),
    { numRuns: repetitions(2000) },
  );
});

function plain(node: SourceNode | undefined): unknown {
  return node === undefined ? undefined : JSON.parse(JSON.stringify(toPlain(node)));
}

function merge(...values: readonly [unknown, ...unknown[]]): unknown {
  const [base, ...overlays] = values.map(source);
  assert.ok(base);
  return plain(mergeParts([base, ...overlays], (type) => (type === "ts" ? "ts" : undefined)));
}

test("null removes any key of a mapping, and a later file may bring it back", () => {
  assertProperty(
    property(dictionary(keys, integer(), { minKeys: 1 }), (given) => {
      for (const key of Object.keys(given)) {
        const { [key]: _, ...rest } = given;
        assert.deepEqual(merge(given, { [key]: null }), rest);
        assert.deepEqual(merge(given, { [key]: null }, { [key]: { x: 1 } }), {
          ...rest,
          [key]: { x: 1 },
        });
      }
    }),
  );
});

test("children keep their places, new ones follow, and the item `name: null` removes one", () => {
  const children = uniqueArray(constantFrom("n1", "n2", "n3", "n4", "n5", "n6"));
  assertProperty(
    property(children, children, (under, over) => {
      const nodes = (list: readonly string[]) => ({ children: list.map((name) => ({ name })) });
      const merged = merge(nodes(under), nodes(over)) as { children: { name: string }[] };
      const added = over.filter((name) => !under.includes(name));
      assert.deepEqual(
        merged.children.map((child) => child.name),
        [...under, ...added],
      );
      const gone = merge(nodes(under), { children: over.map((name) => ({ [name]: null })) });
      assert.deepEqual(gone, nodes(under.filter((name) => !over.includes(name))));
    }),
  );
});

test("forms of children meet: a flat item is laid over a wrapped one, and a node without a name goes by its type", () => {
  assert.deepEqual(
    merge(
      {
        children: [
          { agent: { name: "a", type: "x.A", config: { p: 1, q: 2 } } },
          { type: "ts", port: 1 },
        ],
      },
      {
        children: [
          { name: "a", config: { q: null, r: 3 } },
          { type: "ts", port: 2 },
        ],
      },
    ),
    {
      children: [
        { agent: { name: "a", type: "x.A", config: { p: 1, r: 3 } } },
        { type: "ts", port: 2 },
      ],
    },
  );
});

test("lists below config are replaced, whatever they are called", () => {
  assert.deepEqual(
    merge(
      { config: { children: [{ name: "a", x: 1 }] } },
      { config: { children: [{ name: "a" }] } },
    ),
    { config: { children: [{ name: "a" }] } },
  );
});
