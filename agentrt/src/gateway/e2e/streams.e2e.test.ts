/** Routes of mode `stream` from YAML, through `agentrt run`: server-sent events over HTTP/1.1 and HTTP/2. */
import assert from "node:assert/strict";
import { request as requestHttp } from "node:http";
import { test } from "node:test";
import { freePort, openHttp2, type Program, testClients } from "testkit";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Counter extends Agent {
  #sentCount = 0;
  override async *handle(message: Message) {
    if (message.type === "sent") { yield { count: this.#sentCount }; return; }
    const { count = 3, failAt = 0, waitMs = 0, size = 1 } = message.payload as { [key: string]: number };
    this.#sentCount = 0;
    try {
      for (let number = 1; number <= Number(count); number += 1) {
        if (number === Number(failAt)) throw new Error("secret detail");
        if (Number(waitMs) > 0 && number > 1) await new Promise((resolve) => setTimeout(resolve, Number(waitMs)));
        this.#sentCount = number;
        yield { number, text: "a\\nb".repeat(Number(size)) };
      }
    } finally {
      console.log("left after " + this.#sentCount);
    }
  }
}

export class Plain extends Agent {
  override async handle() {
    return { whole: true };
  }
}
`;

const topology = (port: number): string => `supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: counter, type: agents.Counter }
    - agent: { name: other, type: agents.Counter }
    - agent: { name: plain, type: agents.Plain }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        stream_queue_maxsize: 4
        stream_idle_timeout: 0.5
        max_stream_duration: 1.5
        resume_window: 15
        routes:
          - { method: POST, path: /count, agent: counter, mode: stream }
          - { method: GET, path: "/count/{count}", agent: counter, mode: stream }
          - { method: GET, path: "/other/{count}", agent: other, mode: stream }
          - { method: POST, path: /plain, agent: plain, mode: stream }
`;

interface Running extends AsyncDisposable {
  readonly port: number;
  readonly program: Program;
}

async function run(): Promise<Running> {
  const port = await freePort();
  const files = { "agents.ts": agents };
  const running = await startTopology({ topology: topology(port), files });
  return {
    port,
    program: running.program,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const event = (id: number, text = "a\\nb"): string =>
  `id: ${id}\ndata: {"number":${id},"text":"${text}"}\n\n`;
const failure = (id: number, error: string): string =>
  `id: ${id}\nevent: error\ndata: {"error":"${error}"}\n\n`;

test("a stream route sends numbered events over both versions, and tells how it failed", async () => {
  await using setup = await run();
  for (const client of testClients) {
    const post = async (body: object) => {
      const row = { request: "POST /count?count=2", body: JSON.stringify(body) };
      return await client.ask(setup, row);
    };
    const whole = await post({});
    assert.equal(whole.status, 200, client.name);
    assert.equal(whole.headers["content-type"], "text/event-stream");
    assert.equal(whole.headers["cache-control"], "no-cache");
    assert.equal(whole.body, event(1) + event(2));
    assert.equal((await post({ count: 0 })).body, "");
    const failed = await post({ count: 3, failAt: 3 });
    const reason = /^agent 'counter' (?:crashed|failed to handle the message)$/;
    const { error } = JSON.parse(failed.body.split("data: ").at(-1) ?? "") as { error: string };
    assert.match(error, reason);
    assert.equal(failed.body, event(1) + event(2) + failure(3, error));
    const plain = await client.ask(setup, { request: "POST /plain" });
    assert.equal(plain.body, 'id: 1\ndata: {"whole":true}\n\n');
    const head = await client.ask(setup, { request: "HEAD /count/3" });
    assert.deepEqual([head.status, head.body], [200, ""]);
    const typed = { "x-agentrt-type": "agentrt.stop" };
    assert.equal((await client.ask(setup, { request: "POST /count", headers: typed })).status, 400);
  }
});

test("a stream ends with an event when it is idle too long or lasts too long", async () => {
  await using setup = await run();
  const [client] = testClients;
  const idle = await client.ask(setup, { request: "GET /count/3?waitMs=2000" });
  assert.equal(idle.body, event(1) + failure(2, "stream idle timeout"));
  const long = await client.ask(setup, { request: "GET /other/30?waitMs=200" });
  assert.match(
    long.body,
    /id: 5\n[^]*event: error\ndata: \{"error":"max_stream_duration exceeded"\}\n\n$/,
  );
});

/** Reads events over HTTP/1.1 until there are so many, then breaks the connection. */
function readEvents(
  port: number,
  path: string,
  options: { readonly count: number; readonly headers?: { readonly [name: string]: string } },
): Promise<{ readonly status: number; readonly text: string; readonly stream: string }> {
  return new Promise((resolve, reject) => {
    const { count, headers = {} } = options;
    const request = requestHttp(
      { port, host: "127.0.0.1", path, headers, agent: false },
      (response) => {
        let text = "";
        const finish = (): void => {
          const stream = String(response.headers["x-agentrt-stream"]);
          resolve({ status: response.statusCode ?? 0, text, stream });
          request.destroy();
        };
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (text.split("\n\n").length > count) finish();
        });
        response.on("end", finish);
        response.on("error", () => undefined);
      },
    );
    request.on("error", reject);
    request.end();
  });
}

test("a client that comes back gets the events it missed, once and in order", async () => {
  await using setup = await run();
  const { port } = setup;
  const path = "/count/6?waitMs=20";
  const first = await readEvents(port, path, { count: 2 });
  const lastId = 2;
  assert.ok(first.text.startsWith(event(1) + event(2)));
  const back = (headers: { readonly [name: string]: string }) =>
    readEvents(port, path, { count: 100, headers });
  // As a browser does: the same request again, with the number of the last event.
  const rest = await back({ "last-event-id": String(lastId) });
  assert.equal(rest.text, [3, 4, 5, 6].map((id) => event(id)).join(""));
  // All seen: a browser stops coming back at 204.
  assert.equal((await back({ "last-event-id": "6" })).status, 204);
  // Named, from further back: what is kept is sent again, what is not is gone.
  const named = { "x-agentrt-stream": first.stream };
  assert.equal((await back({ ...named, "last-event-id": "4" })).text, event(5) + event(6));
  assert.equal((await back({ ...named, "last-event-id": "1" })).status, 410);
  assert.equal((await back({ ...named, "last-event-id": "x" })).status, 400);
  const unknown = { "x-agentrt-stream": "nobody", "last-event-id": "1" };
  assert.equal((await back(unknown)).status, 410);
  const elsewhere = await readEvents(port, "/other/6", {
    count: 100,
    headers: { ...named, "last-event-id": "4" },
  });
  assert.equal(elsewhere.status, 410, "another route's stream");
});

test("a client that reads nothing holds its agent back, and its stream ends", async () => {
  await using setup = await run();
  const session = openHttp2(setup);
  const stream = session.request({ ":path": "/count/100000?size=1000" });
  stream.on("error", () => undefined);
  await new Promise<void>((resolve) => stream.on("response", () => resolve()));
  const [, sentCount = ""] = (await setup.program.waitFor(
    /left after (\d+)/,
  )) as unknown as string[];
  assert.ok(Number(sentCount) < 2_000, `${sentCount} chunks were sent`);
  session.destroy();
});
