import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, property, string } from "fast-check";
import { readClassTarget } from "./class-target.ts";
import { classPathForm } from "../topology/model/class-path.ts";
import { isInside } from "./containment.ts";
import { findRunningCopy } from "./running-copy.ts";
import { TableError } from "../core/values/define-errors.ts";

test("readClassTarget() tells files, packages and short names apart", () => {
  assert.deepEqual(readClassTarget("billing.invoices.Clerk"), {
    kind: "file",
    paths: [".ts", ".mts", ".js", ".mjs"].map((extension) => `./billing/invoices${extension}`),
    exported: "Clerk",
  });
  assert.deepEqual(readClassTarget("./src/agents.ts#Clerk"), {
    kind: "file",
    paths: ["./src/agents.ts"],
    exported: "Clerk",
  });
  assert.deepEqual(readClassTarget("@acme/agents/sub#Clerk"), {
    kind: "package",
    specifier: "@acme/agents/sub",
    exported: "Clerk",
  });
  assert.deepEqual(readClassTarget("my-clerk"), { kind: "name", name: "my-clerk" });
});

test("readClassTarget() of any text gives a target or AGENTRT_PLUGIN_BAD_TYPE", () => {
  assertProperty(
    property(string({ unit: constantFrom(...Array.from("aA.#/@:\\-_0 \0$%\n")) }), (type) => {
      try {
        const target = readClassTarget(type);
        if (target.kind === "file") assert.ok(target.paths.every((path) => /^\.\.?\//.test(path)));
        if (target.kind === "package") assert.ok(!/^[/.]|:|\\/.test(target.specifier));
      } catch (error) {
        assert.ok(
          error instanceof TableError && error.code === "AGENTRT_PLUGIN_BAD_TYPE",
          String(error),
        );
      }
    }),
  );
});

test("findRunningCopy() of a checkout leads to the sources, and of built files to those", () => {
  const copy = findRunningCopy();
  assert.equal(copy.name, "agentrt");
  assert.match(copy.urlOf(".") ?? "", /\/agentrt\/src\/index\.ts$/);
  assert.match(copy.urlOf("./testing") ?? "", /\/agentrt\/src\/testing\/index\.ts$/);
  assert.equal(copy.urlOf("./nope"), undefined);
  assert.equal(copy.urlOf("./constructor"), undefined);
  const built = findRunningCopy(new URL("../../dist/plugins/index.js", import.meta.url).href);
  assert.match(built.urlOf(".") ?? "", /\/agentrt\/dist\/index\.js$/);
});

test("readClassTarget() takes exactly the texts that a topology accepts, but for the runtime's own names", () => {
  const parts = constantFrom(
    "a",
    "B",
    ".",
    "..",
    "/",
    "./",
    "../",
    "#",
    "@",
    ":",
    "-",
    "1",
    " ",
    "node:",
    "x.ts",
  );
  assertProperty(
    property(array(parts, { maxLength: 8 }), (pieces) => {
      const type = pieces.join("");
      const isValid = classPathForm(type) !== undefined;
      let isTaken = true;
      try {
        const target = readClassTarget(type);
        if (target.kind === "file")
          isTaken = target.paths.every((path) => isInside("/project", join("/project", path)));
      } catch {
        isTaken = false;
      }
      assert.equal(isTaken, isValid, JSON.stringify(type));
    }),
    { numRuns: 2000 },
  );
});
