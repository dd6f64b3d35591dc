import assert from "node:assert/strict";
import { stripTypeScriptTypes } from "node:module";
import { test } from "node:test";
import { nodeKinds } from "../node-kinds/index.ts";
import { findUnservedKeys, parseTopology } from "../topology/index.ts";
import { projectFiles } from "./index.ts";

function contents(name: string): Map<string, string> {
  return new Map(
    projectFiles({ name, version: "1.2.3" }).map(({ path, content }) => [path, content]),
  );
}

test("projectFiles() makes the files of the specification, each ending in a line feed", () => {
  const files = contents("greeter");
  assert.deepEqual([...files.keys()].sort(), [
    "README.md",
    "agents.ts",
    "package.json",
    "run.ts",
    "topology.yaml",
    "tsconfig.json",
  ]);
  for (const content of files.values()) assert.ok(content.endsWith("\n"));
  assert.match(files.get("README.md") ?? "", /^# greeter\n/);
});

test("projectFiles() makes a topology that is valid, served whole, and without notes", () => {
  const text = contents("greeter").get("topology.yaml") ?? "";
  const { topology, problems, notes } = parseTopology(text, { fileName: "t", kinds: nodeKinds });
  assert.deepEqual([problems, notes], [[], []]);
  assert.ok(topology);
  assert.deepEqual(findUnservedKeys(topology), []);
});

test("projectFiles() makes TypeScript that runs with its types stripped", () => {
  const files = contents("greeter");
  for (const path of ["agents.ts", "run.ts"])
    assert.ok(stripTypeScriptTypes(files.get(path) ?? "").includes("GreeterAgent"));
});

test("projectFiles() makes a manifest that npm accepts for every name", () => {
  for (const [name, wanted] of [
    ["greeter", "greeter"],
    ["_My_App2", "my_app2"],
    ["__", "agents"],
  ] as const) {
    const manifest = JSON.parse(contents(name).get("package.json") ?? "") as {
      name: string;
      dependencies: object;
    };
    assert.equal(manifest.name, wanted);
    assert.deepEqual(manifest.dependencies, { agentrt: "^1.2.3" });
  }
});

test("projectFiles() of a name that is no identifier throws AGENTRT_SCAFFOLD_BAD_NAME", () => {
  for (const name of ["", "9lives", "a-b", "a b", "../x", "é", "a.b", "a".repeat(101)])
    assert.throws(
      () => projectFiles({ name, version: "1.0.0" }),
      { code: "AGENTRT_SCAFFOLD_BAD_NAME" },
      name,
    );
});
