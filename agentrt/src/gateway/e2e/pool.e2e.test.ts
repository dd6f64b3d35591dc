/** A pool from YAML, through `agentrt run`: many clients at once behind one route, and what is seen of it. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { freePort, runProgram } from "testkit";
import { agentrtBinary, startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

let insideCount = 0;
let open: () => void = () => {};
const gate = new Promise<void>((resolve) => { open = resolve; });

/** Answers in two parts; the second one comes when as many are inside as the gate asks for. */
export class Writer extends Agent {
  override async *handle({ payload, signal }: Message) {
    yield { by: this.name };
    if (payload.waits === true) {
      console.log("inside " + this.name);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      console.log("left " + this.name);
      return;
    }
    insideCount += 1;
    if (insideCount === Number(this.config.gate)) open();
    await gate;
    yield { end: this.config.word };
  }
}

export class Saver extends Agent {
  override async handle() {
    return await this.checkpoint({ a: 1 }).then(() => ({}), (error) => ({ refused: error.code }));
  }
}
`;

const topology = (
  ports: { gateway: number; control: number },
  pool: string,
): string => `supervision:
  name: root
  children:
    - type: pool
      name: writer
      config: ${pool}
    - { type: pool, name: saver, class: agents.Saver, size: 1 }
    - { type: topology_server, name: topo, config: { port: ${ports.control} } }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${ports.gateway}
        routes:
          - { method: POST, path: /write, agent: writer, mode: stream }
          - { method: POST, path: /save, agent: saver }
`;

async function run(pool: string) {
  const ports = { gateway: await freePort(), control: await freePort() };
  const running = await startTopology({
    topology: topology(ports, pool),
    files: { "agents.ts": agents },
  });
  const post = async (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
    await fetch(`http://127.0.0.1:${ports.gateway}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  return { running, ports, post };
}

interface Shown {
  readonly name: string;
  readonly type: string;
  readonly busy_count: number;
  readonly children: readonly { readonly name: string; readonly status: string }[];
}

async function shownPool(port: number): Promise<Shown> {
  const response = await fetch(`http://127.0.0.1:${port}/topology`);
  const root = (await response.json()) as { readonly children: readonly Shown[] };
  const found = root.children.find(({ name }) => name === "writer");
  assert.ok(found);
  return found;
}

test("twenty clients stream through one route at once, and all end", async () => {
  const { running, ports, post } = await run(
    "{ class: agents.Writer, size: 20, class_config: { gate: 20, word: done } }",
  );
  await using _ = running;
  const bodies = await Promise.all(
    Array.from({ length: 20 }, async () => await (await post("/write", {})).text()),
  );
  const members = bodies.map((body) => /"by":"(writer\/\d+)"/.exec(body)?.[1]);
  assert.equal(new Set(members).size, 20);
  assert.ok(bodies.every((body) => body.includes('"end":"done"')));
  const shown = await shownPool(ports.control);
  assert.deepEqual([shown.type, shown.busy_count, shown.children.length], ["pool", 0, 20]);
  assert.deepEqual(await (await post("/save", {})).json(), { refused: "AGENTRT_AGENT_STATELESS" });
});

test("a client that leaves frees its member; members are reached by the name of the pool alone", async () => {
  const { running, ports, post } = await run(
    "{ class: agents.Writer, size: 1, class_config: { gate: 1, word: done } }",
  );
  await using _ = running;
  const leaving = new AbortController();
  const held = await post("/write", { waits: true }, leaving.signal);
  await running.program.waitFor(/inside writer\/1/);
  const next = post("/write", {});
  leaving.abort();
  await assert.rejects(held.text());
  await running.program.waitFor(/left writer\/1/);
  assert.match(await (await next).text(), /"end":"done"/);
  const direct = await fetch(`http://127.0.0.1:${ports.gateway}/agents/writer%2F1`, {
    method: "POST",
  });
  assert.equal(direct.status, 404);
});

test("topology show draws a pool that runs, and says how busy it is", async () => {
  const { running, ports } = await run("{ class: agents.Writer, min: 2, max: 5 }");
  await using _ = running;
  const show = async (...more: string[]): Promise<string> => {
    const exit = await runProgram(process.execPath, [agentrtBinary, "topology", ...more], {
      workingDirectory: running.folder.path,
    });
    return exit.stdout;
  };
  assert.match(await show("show", "topology.yaml"), /├── writer .*busy: 0\/2 .*\[pool\]/);
  assert.equal((await shownPool(ports.control)).children[1]?.name, "writer/2");
});
