import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { agentrt, type Outcome } from "./test-support/agentrt.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-show-")));
after(() => rmSync(base, { recursive: true, force: true }));

const liveTree = {
  name: "root",
  type: "supervisor",
  strategy: "ONE_FOR_ONE",
  restart_count: 0,
  crashes_in_window: 2,
  children: [
    { name: "greeter", type: "agent", status: "RUNNING", restart_count: 2 },
    {
      name: "pool",
      type: "dynamic_supervisor",
      status: "RUNNING",
      live_count: 1,
      max_children: null,
      children: [{ name: "w\u001b[2J", type: "agent", status: "SUSPENDED" }],
    },
  ],
};

/** Runs `topology show` on a file whose topology server is the given listener. */
async function show(
  listener: RequestListener | undefined,
  words: readonly string[] = [],
  config = "",
): Promise<Outcome> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  if (listener === undefined) server.close();
  const path = join(base, "topology.yaml");
  writeFileSync(
    path,
    `supervision:\n  name: root\n  children:\n    - agent: { name: greeter, type: agents.GreeterAgent }\n    - { type: topology_server, config: { port: ${port}${config} } }\n`,
  );
  // A runtime that gives no answer is given up after a second.
  const shown = await agentrt(["topology", "show", path, ...words], { directory: base });
  server.closeAllConnections();
  server.close();
  return shown;
}

test("agentrt topology show draws the live tree, with the headers it was given", async () => {
  const seen: string[] = [];
  const shown = await show(
    (request, response) => {
      seen.push(
        `${request.method} ${request.url} ${String(request.headers["x-api-key"])} ${String(request.headers["x-other"])}`,
      );
      response.end(JSON.stringify(liveTree));
    },
    ["-H", "X-API-Key: a:b", "--header", "X-Other: c"],
    ", prefix: /ops",
  );
  assert.deepEqual(seen, ["GET /ops/topology a:b c"]);
  assert.equal(shown.exitCode, 0);
  // What answers is the tree of another project: the command says in what it differs from the file.
  assert.match(
    shown.stderr,
    /^note: not in the running tree: topology_server\nnote: not in this file: pool\nnote: what answers at http:\S+ runs another topology/,
  );
  assert.deepEqual(shown.stdout.split("\n").slice(0, 5), [
    "root  ONE_FOR_ONE  crashes: 2  (live)",
    "├── greeter  RUNNING  restarts: 2",
    "└── pool  live: 1/∞  status: RUNNING  [dyn]",
    "    └── w?[2J  SUSPENDED",
    "",
  ]);
  assert.match(shown.stdout, /\nTransport: in_process\n/);
});

const fallbacks: readonly (readonly [name: string, listener: RequestListener | undefined])[] = [
  ["nothing listens", undefined],
  ["the answer never comes", () => {}],
  ["the body never ends", (_, response) => void response.write('{"name": "root"')],
  ["the answer is no JSON", (_, response) => response.end("<html>")],
  ["the answer is no tree", (_, response) => response.end("[]")],
  ["the answer is 401", (_, response) => response.writeHead(401).end("{}")],
  [
    "the answer leads elsewhere",
    (_, response) => response.writeHead(302, { location: "/other" }).end(),
  ],
];

for (const [name, listener] of fallbacks) {
  test(`agentrt topology show draws the static tree when ${name}`, async () => {
    const shown = await show(listener);
    assert.deepEqual([shown.exitCode, shown.stderr], [0, ""]);
    assert.match(
      shown.stdout,
      /^root {2}ONE_FOR_ONE {2}restarts: 3\/60\.0s {2}backoff: constant {2}\(runtime not running\)\n├── greeter {2}agents\.GreeterAgent\n└── topology_server {2}http:\/\/127\.0\.0\.1:\d+ {2}\[topo\]\n/,
    );
  });
}

test("agentrt topology show --json prints the static tree and the live one", async () => {
  const live = await show((_, response) => response.end(JSON.stringify(liveTree)), ["--json"]);
  const printed = JSON.parse(live.stdout) as {
    live: { name: string };
    supervision: { restart_window: number };
    agents: number;
  };
  assert.deepEqual(
    [printed.live.name, printed.supervision.restart_window, printed.agents],
    ["root", 60, 2],
  );
  const still = JSON.parse((await show(undefined, ["--json"])).stdout) as { live: unknown };
  assert.equal(still.live, null);
});

test("agentrt topology show of a bad header says so in one line and exits 2", async () => {
  const shown = await show(undefined, ["-H", "nonsense"]);
  assert.equal(shown.exitCode, 2);
  assert.match(shown.stderr, /^agentrt: Cannot send header "nonsense"[^\n]*\n$/);
});
