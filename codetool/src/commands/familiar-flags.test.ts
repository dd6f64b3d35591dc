/** What other programs call flags leads to flags that are there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { familiarEverywhere, familiarFlag, familiarFlags } from "./familiar-flags.ts";
import { globalFlags } from "./global-flags.ts";
import { commandTable } from "./table.ts";

test("each familiar name is no name of the command, and leads to a flag of it", () => {
  for (const [command, names] of Object.entries(familiarFlags)) {
    const flags = commandTable.find(({ name }) => name === command)?.flags ?? [];
    assert.ok(flags.length > 0, command);
    const all = [...flags, ...globalFlags];
    const own = new Set(
      all.flatMap(({ name, aliases = [], short = "" }) => [name, short, ...aliases]),
    );
    for (const [name, hint] of Object.entries({ ...familiarEverywhere, ...names })) {
      assert.ok(!own.has(name), `${command} has --${name} itself`);
      const flag = /^--([a-z-]+)/.exec(hint)?.[1]?.replaceAll("-", "_");
      assert.ok(flag === undefined || own.has(flag), `${command} has no ${hint}`);
    }
  }
});

test("a name that no program is known for has none, whatever objects inherit", () => {
  assert.equal(familiarFlag("search", "to_string"), undefined);
  assert.equal(familiarFlag("constructor", "max_tokens"), "--budget N");
  assert.equal(familiarFlag("search", "constructor"), undefined);
});
