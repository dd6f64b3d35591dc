import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { agentrt, type Outcome } from "./test-support/agentrt.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-diff-")));
after(() => rmSync(base, { recursive: true, force: true }));

writeFileSync(
  join(base, "a.yaml"),
  `supervision:
  name: root
  children:
    - agent: { name: clerk, type: agents.Clerk }
    - supervisor: { name: desk, children: [{ agent: { name: greeter, type: agents.Greeter } }] }
`,
);
writeFileSync(
  join(base, "b.yaml"),
  `transport: { type: nats }
plugins: { state: { type: sqlite } }
supervision:
  name: root
  strategy: ONE_FOR_ALL
  children:
    - supervisor: { name: desk, children: [{ agent: { name: clerk, type: agents.Clerk } }] }
    - { name: pool, type: dynamic_supervisor }
`,
);
writeFileSync(
  join(base, "same.yaml"),
  "supervisor: { name: x, children: [{ name: y, type: t.Y }] }\n",
);
writeFileSync(join(base, "bad.yaml"), "supervision: { name: root, strategy: none, max: 1 }\n");

async function diff(words: readonly string[]): Promise<Outcome> {
  return await agentrt(["topology", "diff", ...words], { directory: base });
}

test("agentrt topology diff lists the differences by section, with a summary, and exits 0", async () => {
  const stdout = `Supervision
  ~ root  strategy: ONE_FOR_ONE -> ONE_FOR_ALL
  ~ clerk  moved: root -> desk
  - greeter  agents.Greeter  (in desk)
  + pool  dynamic_supervisor  (in root)

Transport
  ~ type: in_process -> nats

Plugins
  + state  sqlite

Summary: 3 changes, 2 additions, 1 removal
`;
  assert.deepEqual(await diff(["a.yaml", "b.yaml"]), { exitCode: 0, stdout, stderr: "" });
  assert.deepEqual(await diff(["a.yaml", "b.yaml", "--exit-code"]), {
    exitCode: 1,
    stdout,
    stderr: "",
  });
});

test("agentrt topology diff of files that say the same prints No differences and exits 0", async () => {
  const wanted = { exitCode: 0, stdout: "No differences\n", stderr: "" };
  assert.deepEqual(await diff(["same.yaml", "same.yaml", "--exit-code"]), wanted);
});

test("agentrt topology diff --json has one shape, whatever the files are", async () => {
  const differ = await diff(["a.yaml", "b.yaml", "--json"]);
  assert.deepEqual([differ.exitCode, differ.stderr], [0, ""]);
  const printed = JSON.parse(differ.stdout) as { differences: unknown[] };
  assert.deepEqual(
    { ...printed, differences: printed.differences.slice(0, 2) },
    {
      file_a: "a.yaml",
      file_b: "b.yaml",
      equal: false,
      summary: { changes: 3, additions: 2, removals: 1 },
      differences: [
        {
          section: "supervision",
          change: "changed",
          subject: "root",
          field: "strategy",
          from: "ONE_FOR_ONE",
          to: "ONE_FOR_ALL",
        },
        {
          section: "supervision",
          change: "moved",
          subject: "clerk",
          field: "",
          from: "root",
          to: "desk",
        },
      ],
    },
  );
  const same = await diff(["same.yaml", "same.yaml", "--json", "--exit-code"]);
  assert.equal(same.exitCode, 0);
  assert.deepEqual(JSON.parse(same.stdout), {
    file_a: "same.yaml",
    file_b: "same.yaml",
    equal: true,
    summary: { changes: 0, additions: 0, removals: 0 },
    differences: [],
  });
  const bad = await diff(["same.yaml", "bad.yaml", "--json"]);
  assert.equal(bad.exitCode, 1);
  assert.deepEqual(JSON.parse(bad.stdout), {
    file_a: "same.yaml",
    file_b: "bad.yaml",
    equal: null,
    summary: null,
    differences: [],
  });
});

test("agentrt topology diff of an invalid file tells every problem with its place and exits 1", async () => {
  for (const words of [
    ["bad.yaml", "a.yaml"],
    ["a.yaml", "bad.yaml"],
  ]) {
    const { exitCode, stdout, stderr } = await diff(words);
    assert.deepEqual([exitCode, stdout], [1, ""]);
    const lines = stderr.trimEnd().split("\n");
    assert.equal(lines.length, 4, stderr);
    for (const line of lines.slice(0, 3)) assert.match(line, /^bad\.yaml:1:\d+: supervision\./);
    assert.equal(lines[3], "agentrt: bad.yaml is not valid: 3 errors");
  }
});

test("agentrt topology diff of a missing file or argument says so in one line", async () => {
  const missing = await diff(["a.yaml", "none.yaml"]);
  assert.deepEqual([missing.exitCode, missing.stdout], [1, ""]);
  assert.match(missing.stderr, /^agentrt: Cannot read topology "none\.yaml"[^\n]*\n$/);
  const wrong = await diff(["a.yaml"]);
  assert.deepEqual([wrong.exitCode, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /^agentrt: file_b is missing, and so is --topology[^\n]*\n$/);
});
