/** `agentrt topology apply` of files that touch pools, keyed agents and single agents on several workers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";
import { transportCases } from "./test-support/transports.ts";

type JsonObject = { readonly [name: string]: unknown };

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

class Counter extends Agent {
  async handle() {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    // Members of a pool have no state.
    if (!this.name.startsWith("team/")) await this.checkpoint();
    return { pid: process.pid, name: this.name, key: this.key, count: this.state["count"], by: this.constructor.name };
  }
}

export class Old extends Counter {}
export class New extends Counter {}
export class Bad extends Counter {
  async onStart() {
    throw new Error("the till is locked");
  }
}
`;

interface Place {
  readonly section: string;
  readonly port: number;
}

const topology = (
  { section, port }: Place,
  children: readonly string[],
): string => `transport: ${section}
plugins:
  state: { type: sqlite }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
${children.map((each) => `    - ${each}\n`).join("")}    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

const keyed = (by: string, key = "id"): string =>
  `{ name: counter, type: keyed, process: heavy, config: { class: agents.${by}, key: ${key} } }`;
const pool = (size: number, by: string): string =>
  `{ name: team, type: pool, process: heavy, config: { class: agents.${by}, size: ${size} } }`;
const single = (by: string): string =>
  `agent: { name: ledger, type: agents.${by}, process: heavy }`;

async function call(port: number, agent: string, payload: object = {}): Promise<JsonObject> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
      method: "POST",
      body: JSON.stringify(payload),
      headers: { "content-type": "application/json" },
    });
    const answer = (await response.json()) as JsonObject;
    if (response.status === 200) return answer;
    assert.match(String(response.status), /^50[23]$/, JSON.stringify(answer));
    await new Promise(setImmediate);
  }
}

/** Waits until each of so many workers has so much of a node. */
async function untilPlaced(port: number, name: string, wanted: readonly number[]): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/agents/${name}`);
    const { placement = {} } = (await response.json()) as { readonly placement?: object };
    if (JSON.stringify(Object.values(placement)) === JSON.stringify(wanted)) return;
    await new Promise(setImmediate);
  }
}

for (const { name, skip, open } of transportCases)
  test(
    `${name}: apply changes pools, keyed agents and single agents at all workers of their group, or nothing`,
    { skip },
    async () => {
      await using meeting = await open();
      const place = { section: meeting.section, port: await freePort() };
      const { port } = place;
      using folder = createTemporaryFolder({
        "topology.yaml": topology(place, [keyed("Old"), pool(4, "Old"), single("Old")]),
        "next.yaml": topology(place, [keyed("New"), pool(6, "New"), single("New")]),
        "fails.yaml": topology(place, [keyed("New"), pool(2, "New"), single("Bad")]),
        "small.yaml": topology(place, [keyed("New", "other"), pool(2, "New"), single("New")]),
        "others.yaml": topology(place, [
          keyed("New", "other"),
          single("New"),
          keyed("New").replace("counter", "tickets"),
          pool(2, "New").replace("team", "crew"),
          single("New").replace("ledger", "diary"),
        ]),
        "none.yaml": topology(place, [single("New")]),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const workingDirectory = folder.path;
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], { workingDirectory });
      const apply = async (file: string) =>
        await runProgram(
          process.execPath,
          [binary, "topology", "apply", file, "--running", "topology.yaml", "--yes"],
          {
            workingDirectory,
          },
        );
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using first = start("--process", "heavy");
      await first.waitFor(/started; Ctrl\+C stops/);
      await using second = start("--process", "heavy");
      await untilPlaced(port, "team", [2, 2]);
      const ids = Array.from({ length: 20 }, (_, index) => `k${index}`);
      const count = async (member = "id") =>
        await Promise.all(ids.map(async (id) => await call(port, "counter", { [member]: id })));
      const before = await count();
      const ledger = await call(port, "ledger");
      assert.deepEqual([ledger["count"], ledger["by"]], [1, "Old"]);

      const applied = await apply("next.yaml");
      assert.equal(applied.code, 0, applied.stderr);
      await untilPlaced(port, "team", [3, 3]);
      const after = await count();
      for (const [index, { pid, by, count: counted }] of after.entries())
        assert.deepEqual([pid, by, counted], [before[index]?.["pid"], "New", 2]);
      assert.deepEqual(await call(port, "ledger"), { ...ledger, count: 2, by: "New" });
      const team = await Promise.all(ids.map(async () => await call(port, "team")));
      assert.deepEqual(new Set(team.map(({ by }) => by)), new Set(["New"]));
      assert.equal(new Set(team.map(({ name: member }) => member)).size, 6);

      // What does not start at one worker is taken back at all of them.
      const failed = await apply("fails.yaml");
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /the till is locked/);
      assert.ok((await count()).every(({ by, count: counted }) => by === "New" && counted === 3));
      assert.deepEqual(await call(port, "ledger"), { ...ledger, count: 3, by: "New" });
      await untilPlaced(port, "team", [3, 3]);

      // Fewer members, and another place of the key. A worker that comes with the first file has its share of the latest.
      const small = await apply("small.yaml");
      assert.equal(small.code, 0, small.stderr);
      await untilPlaced(port, "team", [1, 1]);
      assert.ok((await count("other")).every(({ count: counted }) => counted === 4));
      await using third = start("--process", "heavy");
      await third.waitFor(/started; Ctrl\+C stops/);
      await untilPlaced(port, "team", [1, 1, 0]);
      assert.ok(
        (await count("other")).every(({ by, count: counted }) => by === "New" && counted === 5),
      );

      // What goes and what comes: the pool is another one, and so are a keyed agent and a single agent.
      const others = await apply("others.yaml");
      assert.equal(others.code, 0, others.stderr);
      await untilPlaced(port, "crew", [1, 1, 0]);
      assert.equal((await call(port, "tickets", { id: "t1" }))["count"], 1);
      assert.deepEqual((await call(port, "diary"))["name"], "diary");
      assert.deepEqual(await call(port, "ledger"), { ...ledger, count: 4, by: "New" });
      assert.ok((await count("other")).every(({ count: counted }) => counted === 6));
      const gone = await fetch(`http://127.0.0.1:${port}/agents/team`, { method: "POST" });
      assert.equal(gone.status, 404);
      const none = await apply("none.yaml");
      assert.equal(none.code, 1);
      assert.match(none.stderr, /which several workers may join by only one of both files/);
      assert.equal((await call(port, "tickets", { id: "t1" }))["count"], 2);
      for (const program of [first, second, third, supervisor]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );
