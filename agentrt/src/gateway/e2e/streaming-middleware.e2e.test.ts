/** Middleware that reads, changes and makes streamed bodies, from YAML, through `agentrt run`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort, type Program, testClients } from "testkit";
import { leavableClients } from "./test-support/leaving-clients.ts";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Teller extends Agent {
  override async *handle({ payload, signal }: Message) {
    try {
      yield { n: 1, secret: "blue" };
      if (payload["hold"] === true) {
        console.log("holds;");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        console.log("was let go;");
        return;
      }
      if (payload["fail"] === true) throw new Error("secret of the agent");
      yield { n: 2, secret: "red" };
    } finally {
      console.log("teller ends;");
    }
  }
}
`;

const guards = `
import type { Middleware } from "agentrt";

async function* without(chunks: AsyncIterable<object>) {
  let count = 0;
  try {
    for await (const chunk of chunks) {
      count += 1;
      yield { ...chunk, secret: "" };
    }
    yield { sum: count };
  } finally {
    console.log("saw " + count + ";");
  }
}

export const discreet: Middleware = async (request, next) => {
  const response = await next(request);
  // A response made afresh: it has nothing of the other one but its chunks.
  return response.chunks === undefined ? response : { headers: { "x-discreet": "yes" }, chunks: without(response.chunks) };
};

export const own: Middleware = async (request) => {
  async function* chunks() {
    yield { own: 1 };
    if (request.queryParams["fail"] === "yes") throw new Error("secret of the middleware");
    yield { own: 2 };
  }
  return { chunks: chunks() };
};

export const late: Middleware = async (request, next) => {
  await next(request);
  return { status: 403, body: { error: "after all" } };
};

export const broken: Middleware = async (request, next) => {
  await next(request);
  throw new Error("secret of the middleware");
};

export const lines: Middleware = async (request, next) => {
  const { chunks = [] } = await next(request);
  async function* text() {
    for await (const chunk of chunks) yield JSON.stringify(chunk) + "\\n";
  }
  return { headers: { "content-type": "application/x-ndjson" }, stream: text() };
};
`;

interface Running extends AsyncDisposable {
  readonly port: number;
  readonly program: Program;
}

const names = ["discreet", "own", "late", "broken", "lines"];

async function run(): Promise<Running> {
  const port = await freePort();
  const running = await startTopology({
    files: { "agents.ts": agents, "guards.ts": guards },
    topology: `supervision:
  name: root
  backoff_base: 0
  children:
    - agent: { name: teller, type: agents.Teller }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
${names.map((name) => `          - { method: POST, path: /stream/${name}, agent: teller, mode: stream, middleware: [guards.${name}] }`).join("\n")}
          - { method: POST, path: /own-call, agent: teller, middleware: [guards.own] }
          - { method: POST, path: /stream/twice, agent: teller, mode: stream, middleware: [guards.discreet, guards.discreet] }
`,
  });
  return {
    port,
    program: running.program,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const event = (id: number, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
const failure = (id: number, error: string): string =>
  `id: ${id}\nevent: error\ndata: ${JSON.stringify({ error })}\n\n`;

test("middleware changes the chunks of an agent, makes its own, and turns them into other text", async () => {
  await using running = await run();
  for (const client of testClients) {
    const post = (path: string, body: object = {}) =>
      client.ask(running, { request: `POST ${path}`, body: JSON.stringify(body) });
    const changed = await post("/stream/discreet");
    assert.equal(changed.headers["content-type"], "text/event-stream", client.name);
    assert.equal(changed.headers["x-discreet"], "yes");
    assert.equal(
      changed.body,
      event(1, { n: 1, secret: "" }) + event(2, { n: 2, secret: "" }) + event(3, { sum: 2 }),
    );
    assert.match((await post("/stream/twice")).body, /"sum":2,"secret":""[^]*"sum":3/);
    const failed = await post("/stream/discreet", { fail: true });
    assert.equal(
      failed.body,
      event(1, { n: 1, secret: "" }) + failure(2, "agent 'teller' crashed"),
    );
    for (const path of ["/stream/own", "/own-call"]) {
      const own = await post(path);
      assert.deepEqual([own.status, own.body], [200, event(1, { own: 1 }) + event(2, { own: 2 })]);
      const broken = await post(`${path}?fail=yes`);
      assert.equal(broken.body, event(1, { own: 1 }) + failure(2, "internal error"));
    }
    const lines = await post("/stream/lines");
    assert.equal(lines.headers["content-type"], "application/x-ndjson");
    assert.equal(lines.body, '{"n":1,"secret":"blue"}\n{"n":2,"secret":"red"}\n');
    const ends = running.program.output.split("teller ends;").length;
    assert.equal((await post("/stream/late", { hold: true })).status, 403);
    const error = await post("/stream/broken", { hold: true });
    assert.deepEqual([error.status, error.body], [500, '{"error":"internal error"}']);
    // Nobody wants what the agent says: it hears of it at once.
    await running.program.waitFor(new RegExp(`(teller ends;[^]*){${ends + 1}}`));
  }
  assert.match(running.program.output, /A streamed response failed.*secret of the middleware/);
});

test("a client that leaves while middleware waits for a chunk lets the agent go at once", async () => {
  await using running = await run();
  const ports = { http: running.port, grpc: 0 };
  let count = 0;
  for (const client of leavableClients.filter(({ name }) => /HTTP.* stream/.test(name))) {
    for (const name of ["discreet", "twice", "lines"]) {
      count += 1;
      const asked = await client.begin(ports, name, { hold: true });
      await running.program.waitFor(new RegExp(`(holds;[^]*){${count}}`));
      asked.leave();
      await running.program.waitFor(new RegExp(`(was let go;[^]*){${count}}`));
    }
  }
  assert.doesNotMatch(running.program.output, /crashed/);
});
