import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { completionScript } from "./completion-scripts.ts";
import { commands } from "./commands/index.ts";

/** What bash offers for the last of some words. */
function complete(words: readonly string[]): string[] {
  const script = `${completionScript("bash", commands)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agentrt; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const result = spawnSync("bash", ["--norc", "-c", script, "bash", "agentrt", ...words], {
    encoding: "utf8",
  });
  assert.equal(result.status, 0, result.stderr);
  assert.equal(result.stderr, "");
  return result.stdout.split("\n").filter((word) => word !== "");
}

const rows: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [["ver"], ["version"]],
  [
    ["topology", ""],
    ["validate", "show", "diff", "plan", "apply", "--help"],
  ],
  [["topology", "validate", "--j"], ["--json"]],
  [["topology", "validate", "--json", "--h"], ["--help"]],
  [["topology", "validate", "topology.yaml", "--j"], ["--json"]],
  [["topology", "validate", ""], []],
  [
    ["completion", ""],
    ["bash", "zsh", "fish", "agents", "--topology", "--substitute-env", "--env-from", "--help"],
  ],
  [["nonsense", "--"], []],
];

for (const [words, offered] of rows) {
  test(`completionScript() for bash offers ${offered.join(" ") || "files"} after "${words.join(" ")}"`, () => {
    assert.deepEqual(complete(words), offered);
  });
}

test("completionScript() knows every command in every shell", () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const script = completionScript(shell, commands);
    for (const { words } of commands) assert.ok(script.includes(words.at(-1) ?? ""), shell);
  }
});
