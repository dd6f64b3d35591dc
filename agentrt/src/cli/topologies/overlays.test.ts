/** Topologies that are made of several files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { agentrt as runAgentrt, type Outcome } from "../test-support/agentrt.ts";
import { base, production } from "../test-support/laid-over.ts";

async function agentrt(directory: string, ...words: string[]): Promise<Outcome> {
  return await runAgentrt(words, { directory });
}

test("a fault names the file that it is in, also where it is about two files", async () => {
  using folder = createTemporaryFolder({
    "b.yaml": base,
    "p.yaml": `supervision:
  strategy: sometimes
  children:
    - supervisor: { name: inner, children: [{ name: first, type: agents.Echo }] }
    - { name: topology_server, prot: 1 }
`,
  });
  const { exitCode, stdout } = await agentrt(
    folder.path,
    "topology",
    "validate",
    "b.yaml",
    "-t",
    "p.yaml",
  );
  assert.equal(exitCode, 1);
  assert.match(stdout, /p\.yaml:2:13: supervision\.strategy: found "sometimes"/);
  assert.match(
    stdout,
    /p\.yaml:4:\d+: .*duplicate agent name "first": first used at line 8 of b\.yaml/,
  );
  assert.match(stdout, /p\.yaml:5:\d+: .*unknown key "prot"; did you mean "port"/);
  const broken = await agentrt(folder.path, "topology", "validate", "b.yaml", "-t", "none.yaml");
  assert.match(broken.stderr, /Cannot read topology "none\.yaml"/);
});

test("show and diff take several files: diff of one file tells what those over it change", async () => {
  using folder = createTemporaryFolder({
    "b.yaml": base,
    "p.yaml": production,
    "topology.yaml": base,
  });
  const shown = await agentrt(folder.path, "topology", "show", "-t", "b.yaml", "-t", "p.yaml");
  assert.match(shown.stdout, /root .*restarts: 9\/60\.0s[^]*first[^]*topology_server[^]*third/);
  const diff = await agentrt(folder.path, "topology", "diff", "b.yaml", "-t", "p.yaml");
  assert.equal(diff.exitCode, 0, diff.stderr);
  assert.match(diff.stdout, /max_restarts[^\n]*3 -> 9/);
  assert.match(diff.stdout, /- [^\n]*second/);
  assert.match(diff.stdout, /\+ [^\n]*third/);
  const same = await agentrt(
    folder.path,
    "topology",
    "diff",
    "b.yaml",
    "topology.yaml",
    "-t",
    "p.yaml",
  );
  assert.equal(same.stdout, "No differences\n");
  const alone = await agentrt(folder.path, "topology", "diff", "b.yaml");
  assert.equal(alone.exitCode, 2);
});

test("merge keys and top-level keys that begin with x- shorten a file; own keys go before merged ones", async () => {
  using folder = createTemporaryFolder({
    "a.yaml": base,
    "b.yaml": base.replace("  handle_timeout: 5", "  handle_timeout: 6"),
  });
  const diff = await agentrt(folder.path, "topology", "diff", "a.yaml", "b.yaml");
  assert.match(diff.stdout, /first[^\n]*handle_timeout[^\n]*5 -> 6/);
  assert.doesNotMatch(diff.stdout, /second/);
});
