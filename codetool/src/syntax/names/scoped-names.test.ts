/** How many nodes of a tree are looked at for the place of a name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyntaxNode } from "../../native/index.ts";
import { parseSource } from "../parse.ts";
import { nameRulesOf, type PathNode, ScopedNames } from "./index.ts";

/** A node of a real tree that counts how many nodes are asked for their range. */
function counted(node: SyntaxNode, counts: { ranges: number }): SyntaxNode {
  return new Proxy(node, {
    get(target, key) {
      if (key === "children") return () => target.children().map((child) => counted(child, counts));
      if (key === "range") counts.ranges += 1;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("a name in a long file is found without looking at each statement of it", () => {
  const count = 2000;
  const lines = Array.from({ length: count }, (_, index) => `name_${index} = call(${index})`);
  const text = `${lines.join("\n")}\n`;
  const parsed = parseSource(text, "python");
  const rules = nameRulesOf("python");
  assert.ok(parsed !== null && rules !== undefined);
  const counts = { ranges: 0 };
  const names = new ScopedNames({ ...parsed, root: counted(parsed.root, counts) }, rules);
  for (const index of [0, 1, 999, count - 1]) {
    const [place, ...more] = names.placesOf(`name_${index}`);
    const leaf = place?.path.at(-1) as PathNode;
    assert.deepEqual([leaf.kind, leaf.line1, more.length], ["identifier", index + 1, 0]);
  }
  assert.ok(counts.ranges < 200, `${counts.ranges} nodes were read`);
});
