import assert from "node:assert/strict";
import { test } from "node:test";
import { commandPath, runProgram } from "testkit";
import { commandDescriptions } from "../codetool/src/cli/descriptions.ts";
import { renderCodetoolReference, renderManPage } from "./generate-codetool-reference.ts";

test("the man page and the reference have every command with every flag and argument", () => {
  const man = renderManPage();
  const page = renderCodetoolReference();
  for (const { name, flags, positionals } of commandDescriptions()) {
    const escaped = name.replaceAll("-", "\\-");
    const ofMan = man.split(`.SS ${escaped}\n`)[1]?.split(/^\.S[SH] /m)[0] ?? "";
    const ofPage = page.split(`\n## ${name}\n`)[1]?.split("\n## ")[0] ?? "";
    for (const flag of flags) {
      const spelling = `--${flag.name.replaceAll("_", "-")}`;
      assert.ok(ofMan.includes(spelling.replaceAll("-", "\\-")), `${name} ${spelling}`);
      assert.ok(ofPage.includes(spelling), `${name} ${spelling}`);
    }
    for (const positional of positionals) {
      assert.match(ofMan, new RegExp(`^\\.B ${positional.name}$`, "m"));
      assert.ok(ofPage.includes(`| \`${positional.name}\` |`), `${name} ${positional.name}`);
    }
  }
});

test("the man page is plain troff, and troff has nothing to say of it", async () => {
  const man = renderManPage();
  assert.match(man, /^[\n\x20-\x7e]*$/);
  if (commandPath("groff") === undefined) return;
  const exit = await runProgram("groff", ["-man", "-ww", "-Tutf8"], { input: man });
  assert.deepEqual([exit.code, exit.stderr], [0, ""]);
  // Bold is a letter over itself, or a code of the terminal.
  const shown = exit.stdout.replaceAll(/.\u0008|\u001b\[[\d;]*m/g, "");
  assert.match(shown, /eval "\$\(codetool completions bash\)"/);
  assert.match(shown, /\n {7}codetool edit \[flags\] /);
});
