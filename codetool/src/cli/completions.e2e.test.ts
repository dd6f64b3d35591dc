import assert from "node:assert/strict";
import { test } from "node:test";
import { commandPath } from "testkit";
import { commandDescriptions } from "./descriptions.ts";
import { runCodetool } from "./test-support/codetool.ts";
import { completionsIn, type ShellCompletion } from "./test-support/shell-completion.ts";

type Shell = ShellCompletion["shell"];

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCodetool(["completions", shell], {
    workingDirectory: ".",
  });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** The words on the line, what must be offered, and what must not. */
const rows: readonly (readonly [readonly string[], readonly string[], readonly string[]])[] = [
  [["codetool", "se"], ["search"], ["read"]],
  [["codetool", "help", "o"], ["outline"], []],
  [["codetool", "search", "--mo"], ["--mode"], ["--top-k"]],
  [["codetool", "search", "--mode", "b"], ["bm25"], ["hybrid", "sub/"]],
  [["codetool", "search", "word", "--mode", "s"], ["semantic", "structural"], ["bm25"]],
  [["codetool", "--plain", "read", "--sk"], ["--skeleton"], []],
  [["codetool", "completions", "z"], ["zsh"], ["bash"]],
  [["codetool", "init", "--agent", "cl"], ["claude-code"], ["codex"]],
  [["codetool-search", "--mode", "b"], ["bm25"], ["hybrid"]],
  [["codetool-edit", "--syn"], ["--syntax-check"], []],
];

async function check(shell: Shell): Promise<void> {
  const script = await scriptFor(shell);
  for (const [words, wanted, unwanted] of rows) {
    const offered = await completionsIn({ shell, script, words });
    const note = `${shell}: ${words.join(" ")} offers ${offered.join(" ")}`;
    for (const word of wanted) assert.ok(offered.includes(word), `${note}, and not ${word}`);
    for (const word of unwanted) assert.ok(!offered.includes(word), note);
  }
  const commands = await completionsIn({ shell, script, words: ["codetool", ""] });
  for (const { name } of commandDescriptions())
    assert.ok(commands.includes(name), `${shell}: ${name}`);
}

test("completions work in bash", async () => {
  await check("bash");
  const script = await scriptFor("bash");
  const afterEquals = await completionsIn({
    shell: "bash",
    script,
    words: ["codetool", "search", "--mode", "=", "b"],
  });
  assert.deepEqual(afterEquals, ["bm25"]);
  const folders = await completionsIn({
    shell: "bash",
    script,
    words: ["codetool", "init", "--links", "s"],
  });
  assert.deepEqual(folders, ["sub"]);
});

test("completions work in the other shells that are installed", async () => {
  for (const shell of ["zsh", "fish"] as const)
    if (commandPath(shell) !== undefined) await check(shell);
});

test("completions of another shell are refused with the ones that there are", async () => {
  const { code, stdout } = await runCodetool(["completions", "tcsh"], { workingDirectory: "." });
  assert.equal(code, 2);
  assert.match(stdout, /wanted one of bash, zsh, fish/);
});
