/** Exporters of a topology, through `agentrt run`: the console's, a user's own, an installed package's, and wrong ones. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const files = {
  "agents.ts": `
import { Agent } from "agentrt";
export class Echo extends Agent {
  override handle() { return { ok: true }; }
}
`,
  "exporters.ts": `
export class Own {
  constructor(config: { word: string }) { this.word = config.word; }
  word: string;
  export(records: readonly { name: string }[]) {
    for (const { name } of records) console.log(this.word + " " + name);
  }
  shutdown() { console.log(this.word + " is done"); }
}
export class NoExporter {}
export class Picky { constructor() { throw new Error("no word given"); } export() {} }
`,
  "node_modules/span-store/package.json": JSON.stringify({
    name: "span-store",
    type: "module",
    exports: "./index.js",
    agentrt: { exporters: { stored: "./index.js#Stored" } },
  }),
  "node_modules/span-store/index.js":
    "export class Stored { export(records) { console.log(`stored ${records.length}`); } }",
  "package.json": JSON.stringify({ type: "module", dependencies: { "span-store": "1.0.0" } }),
};

const topology = (port: number, exporters: string): string => `plugins:
  exporters: ${exporters}
supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
    - { name: gateway, type: http_gateway, config: { port: ${port} } }
`;

test("run hands every span to the console, to a class of the project and to an installed package's", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    ...files,
    "topology.yaml": topology(
      port,
      "[{ type: console }, { type: exporters.Own, config: { word: own } }, { type: stored }]",
    ),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  await fetch(`http://127.0.0.1:${port}/agents/echo`, { method: "POST" });
  program.kill("SIGTERM");
  const { stdout, stderr, code } = await program.exited();
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /^span agentrt\.agent\.handle [\d.]+ms agentrt\.agent\.name="echo" .*trace=[0-9a-f]{32}$/m,
  );
  assert.match(stdout, /^own send http\.request$/m);
  assert.match(stdout, /^own is done$/m);
  assert.match(stdout, /^stored \d+$/m);
});

test("an exporter that cannot be used refuses the start, with its place in the file", async () => {
  using folder = createTemporaryFolder(files);
  for (const [exporters, reason] of [
    [
      "[{ type: exporters.NoExporter }]",
      /2:\d+: cannot use "exporters\.NoExporter" as an exporter: it has no method export/,
    ],
    ["[{ type: exporters.Picky }]", /its constructor refused the config: no word given/],
    ["[{ type: consol }]", /did you mean "console"/],
    ["[{ type: console, config: { color: true } }]", /unknown key "color"/],
    ["[{ config: {} }]", /plugins\.exporters\[0\]\.type: missing/],
  ] as const) {
    folder.write({ "topology.yaml": topology(1, exporters) });
    const exit = await runProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    assert.equal(exit.code, 1, exporters);
    assert.match(exit.stderr, reason);
  }
});
