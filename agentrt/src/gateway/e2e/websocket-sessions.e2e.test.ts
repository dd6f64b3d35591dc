/**
 * Connections of clients as addresses: who is there, who has gone, and messages that nobody asked for. The clients are
 * that of Node and that of `ws`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "testkit";
import { WebSocket as WsClient } from "ws";
import { RawWebSocket } from "../websocket/test-support/raw-web-socket.ts";
import { refuseTopology } from "./test-support/refused-topology.ts";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

const members = new Map<string, { room: string; name: string }>();
const sizeBytes = 20_000;

/** A chat room: what one says, all others of the room hear. */
export class Chat extends Agent {
  override async handle(message: Message) {
    const { session, payload, type } = message;
    if (type === "who") return { sessions: [...members.keys()] };
    if (type === "push") return await this.#push(String(payload["to"]), Number(payload["count"] ?? 1));
    if (session === null) return { error: "not over WebSocket" };
    const member = members.get(session);
    if (type === "ws.open") {
      members.set(session, { room: String(payload["room"]), name: String(payload["name"]) });
      return this.#tell(session, { joined: payload["name"] });
    }
    if (type === "ws.close") {
      await this.#tell(session, { left: member?.name ?? "", code: payload["code"] });
      members.delete(session);
      return;
    }
    await this.#tell(session, { from: member?.name ?? "", text: payload["text"] });
    return payload["ack"] === true ? { ok: true } : undefined;
  }
  async #tell(speaker: string, payload: object) {
    const room = members.get(speaker)?.room;
    const others = [...members].filter(([session, member]) => session !== speaker && member.room === room);
    await Promise.allSettled(others.map(([session]) => this.send(session, payload)));
  }
  async #push(to: string, count: number) {
    const text = count > 1 ? "x".repeat(sizeBytes) : "psst";
    let sent = 0;
    try {
      for (; sent < count; sent += 1) await this.send(to, { n: sent, text }, { timeoutMs: 1 });
      const reply = await this.call(to, { n: sent });
      return { sent, reply };
    } catch (error) {
      return { sent, code: (error as { code?: string }).code };
    }
  }
}

/** One object a connection. */
export class Counter extends Agent<{ count: number }> {
  override state = { count: 0 };
  override handle(message: Message) {
    if (message.type === "ws.close") console.log("closed " + this.state.count + ";");
    if (message.type !== "ws.message") return;
    this.state.count += 1;
    return { count: this.state.count, isOwn: message.session?.endsWith("/" + this.key) === true };
  }
}
`;

async function run() {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const running = await startTopology({
    files: { "agents.ts": agents },
    topology: `supervision:
  name: root
  children:
    - agent: { name: chat, type: agents.Chat }
    - { name: counter, type: keyed, class: agents.Counter }
    - name: spare
      type: http_gateway
      config: { host: 127.0.0.1, port: ${grpcPort} }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: POST, path: /chat, agent: chat }
        ws_routes:
          - { path: "/rooms/{room}", agent: chat, notify: true }
          - { path: /count, agent: counter, key: session, notify: true }
`,
  });
  const ask = async (type: string, body: object = {}, target = `${port}/chat`) => {
    const response = await fetch(`http://127.0.0.1:${target}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-agentrt-type": type },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly [name: string]: unknown };
    return { status: response.status, ...answer } as { readonly [name: string]: unknown };
  };
  return {
    port,
    spare: grpcPort,
    ask,
    program: running.program,
    sessions: async () => (await ask("who"))["sessions"] as string[],
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** What one of the two clients has received, one by one. */
class Inbox {
  readonly #received: unknown[] = [];
  #wake: (() => void) | undefined;

  add(text: string): void {
    this.#received.push(JSON.parse(text));
    this.#wake?.();
  }

  async next(): Promise<unknown> {
    while (this.#received.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#received.shift();
  }
}

/** The client of Node. */
async function connectNode(port: number, path: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const inbox = new Inbox();
  socket.addEventListener("message", ({ data }) => inbox.add(String(data)));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  return {
    next: () => inbox.next(),
    send: (value: object) => socket.send(JSON.stringify(value)),
    close: () => socket.close(4000, "bye"),
  };
}

/** The client of the package ws. */
async function connectWs(port: number, path: string) {
  const socket = new WsClient(`ws://127.0.0.1:${port}${path}`);
  const inbox = new Inbox();
  socket.on("message", (data) => inbox.add(data.toString()));
  await new Promise<void>((resolve) => socket.on("open", resolve));
  return {
    next: () => inbox.next(),
    send: (value: object) => socket.send(JSON.stringify(value)),
    cut: () => socket.terminate(),
  };
}

test("a chat room: members come, speak and leave, and each hears what the others of the room do", async () => {
  await using running = await run();
  const ada = await connectNode(running.port, "/rooms/blue?name=ada");
  const bob = await connectWs(running.port, "/rooms/blue?name=bob");
  assert.deepEqual(await ada.next(), { joined: "bob" });
  const cy = await connectNode(running.port, "/rooms/red?name=cy");
  const dan = await connectNode(running.port, "/rooms/blue?name=dan");
  assert.deepEqual([await ada.next(), await bob.next()], [{ joined: "dan" }, { joined: "dan" }]);

  ada.send({ text: "hello" });
  assert.deepEqual(await bob.next(), { from: "ada", text: "hello" });
  assert.deepEqual(await dan.next(), { from: "ada", text: "hello" });
  bob.send({ id: 1, payload: { text: "a call", ack: true } });
  assert.deepEqual(
    [await bob.next(), await bob.next()],
    [
      { id: 1, payload: { ok: true } },
      { id: 1, end: true },
    ],
  );
  assert.deepEqual(await ada.next(), { from: "bob", text: "a call" });

  dan.close();
  assert.deepEqual(await ada.next(), { left: "dan", code: 4000 });
  bob.cut();
  assert.deepEqual(await ada.next(), { left: "bob", code: 1006 });
  assert.equal((await running.sessions()).length, 2);
  // Another room heard nothing of all that: what comes first is the end.
  const [, red = ""] = await running.sessions();
  assert.deepEqual(await running.ask("push", { to: red }), { status: 200, sent: 1, reply: {} });
  assert.deepEqual(await cy.next(), { n: 0, text: "psst" });
});

test("a session is gone with its connection: who sends to it is told, and keeps a dead letter", async () => {
  await using running = await run();
  const ada = await connectNode(running.port, "/rooms/blue?name=ada");
  const bob = await connectWs(running.port, "/rooms/blue?name=bob");
  await ada.next();
  const [, gone = ""] = await running.sessions();
  bob.cut();
  assert.deepEqual(await ada.next(), { left: "bob", code: 1006 });
  assert.deepEqual(await running.ask("push", { to: gone }), {
    status: 200,
    sent: 0,
    code: "AGENTRT_BUS_NO_ROUTE",
  });
});

test("no client reaches the connection of another one by its address", async () => {
  await using running = await run();
  const ada = await connectNode(running.port, "/rooms/blue?name=ada");
  const [session = ""] = await running.sessions();
  const path = `${running.spare}/agents/${encodeURIComponent(session)}`;
  const refused = { status: 404, error: `agent '${session}' not found` };
  assert.match(session, /^api\/[\da-f-]+$/);
  assert.deepEqual(await running.ask("ws.message", { text: "evil" }, path), refused);
  assert.deepEqual(await running.ask("ws.message", { text: "evil" }, `${path}/cast`), refused);
  await running.ask("push", { to: session });
  assert.deepEqual(await ada.next(), { n: 0, text: "psst" });
});

test("a client that takes nothing makes senders wait and then refuses them; all that was taken comes in order", async () => {
  await using running = await run();
  const slow = await RawWebSocket.open(running.port, "/rooms/blue?name=slow");
  await using _closed = slow;
  slow.stall();
  const [to = ""] = await running.sessions();
  const { sent, code } = await running.ask("push", { to, count: 100_000 });
  assert.equal(code, "AGENTRT_BUS_MAILBOX_FULL");
  // What the connection holds, what lies in the system's buffers, and the queue of 256.
  assert.ok(Number(sent) > 256 && Number(sent) < 2_000, `${String(sent)} were taken`);
  slow.takeAgain();
  for (let n = 0; n < Number(sent); n += 1) {
    const { payload } = (await slow.frame()) ?? {};
    assert.equal((JSON.parse(String(payload)) as { n: number }).n, n);
  }
});

test("key: session gives each connection a keyed object of its own, which hears of its end by a stop too", async () => {
  await using running = await run();
  const first = await connectNode(running.port, "/count");
  const second = await connectWs(running.port, "/count");
  for (const count of [1, 2]) {
    first.send({});
    assert.deepEqual(await first.next(), { count, isOwn: true });
  }
  second.send({});
  assert.deepEqual(await second.next(), { count: 1, isOwn: true });
  first.close();
  await running.program.waitFor(/closed 2;/);
  running.program.kill("SIGTERM");
  const { code } = await running.program.exited();
  assert.match(running.program.output, /closed 1;/);
  assert.doesNotMatch(running.program.output, /was not told/);
  assert.equal(code, 0);
});

test("a gateway refuses to start: connections that nobody can be told of, keys of an agent without keys", async () => {
  const refuse = (route: string, said: string): Promise<void> =>
    refuseTopology(
      {
        files: { "agents.ts": agents },
        topology: `supervision:
  name: root
  children:
    - agent: { name: chat, type: agents.Chat, capabilities: [chat] }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, ws_routes: [{ path: /ws, ${route} }] }
`,
      },
      said,
    );
  await refuse("capability: chat, notify: true", "notices go to one agent: name it with agent");
  await refuse("agent: chat, key: session", '"chat" is of kind agent, wanted keyed');
});
