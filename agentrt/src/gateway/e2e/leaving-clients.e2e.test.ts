/** Clients that leave, or whose time is over, through `agentrt run`: what they asked for ends, and hurts nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import { freePort, type Program, testClients } from "testkit";
import {
  agentRequest,
  leavableClients,
  type LeavablePorts,
} from "./test-support/leaving-clients.ts";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message, type ModelProvider, modelReply, type ModelRequest } from "agentrt";

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", resolve);
  });

/** Gives tokens until it is told to stop. */
export class Tokens implements ModelProvider {
  readonly defaultModel = "tokens-1";
  async chat({ signal }: ModelRequest) {
    await aborted(signal);
    console.log("tokens stop");
    throw new TypeError("the model's client is gone");
    return modelReply({ model: "tokens-1", content: "" });
  }
  async *stream({ signal }: ModelRequest) {
    try {
      while (!signal.aborted) {
        yield { type: "text" as const, text: "token " };
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new TypeError("the model's client is gone");
    } finally {
      console.log("tokens stop");
    }
  }
}

const ask = { messages: [{ role: "user" as const, content: "Write." }] };

export class Writer extends Agent {
  override handle(message: Message) {
    const { quick, id } = message.payload as { quick?: boolean; id: string };
    if (quick === true) return { quick, waitingCount: this.mailboxDepthOf("writer") ?? 0 };
    console.log("begin " + id + ";");
    return message.isStream ? this.#write(message) : this.#think(message);
  }

  async *#write(message: Message) {
    try {
      if (message.payload["how"] !== "silent") yield { first: true };
      if (message.payload["how"] === "model") {
        for await (const chunk of this.llm.stream(ask)) yield { chunk: chunk.type };
      } else await this.#fail(message);
    } finally {
      console.log("end " + message.payload["id"] + ";");
    }
  }

  async #think(message: Message) {
    try {
      if (message.payload["how"] === "model") return { ...(await this.llm.chat(ask)).message };
      return await this.#fail(message);
    } finally {
      console.log("end " + message.payload["id"] + ";");
    }
  }

  async #fail({ payload, signal }: Message): Promise<never> {
    await aborted(signal);
    if (payload["how"] === "reason") throw signal.reason;
    if (payload["how"] === "AbortError") throw new DOMException("it was aborted", "AbortError");
    throw new RangeError("an error of its own");
  }
}
`;

const routes = `
        routes:
          - { method: POST, path: /call/writer, agent: writer }
          - { method: POST, path: /stream/writer, agent: writer, mode: stream }
          - { method: POST, path: /call/other, agent: other }
        ws_routes: [{ path: /ws/writer, agent: writer }]
        grpc_enabled: true`;

interface Running extends AsyncDisposable {
  readonly program: Program;
  readonly patient: LeavablePorts;
  readonly impatient: LeavablePorts;
  readonly ask: (request: string, body?: object) => Promise<unknown>;
  /** What became of the agent and its messages. */
  readonly toll: () => Promise<unknown>;
}

async function run(): Promise<Running> {
  const patient = { http: await freePort(), grpc: await freePort() };
  const impatient = { http: await freePort(), grpc: await freePort() };
  const control = await freePort();
  const gateway = (name: string, { http, grpc: port }: LeavablePorts, more = "") => `
    - name: ${name}
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${http}
        grpc_port: ${port}${more}${routes}`;
  const running = await startTopology({
    files: { "agents.ts": agents },
    topology: `plugins:
  models: [{ type: agents.Tokens, name: tokens }]
supervision:
  name: root
  children:
    - agent: { name: writer, type: agents.Writer }
    - agent: { name: other, type: agents.Writer }
    - { name: control, type: topology_server, config: { port: ${control} } }${gateway("patient", patient)}${gateway("impatient", impatient, "\n        request_timeout: 0.3")}
`,
  });
  const [http1] = testClients;
  const askOn = async (port: number, request: string, body?: object): Promise<unknown> => {
    const answer = await http1.ask(
      { port },
      { request, ...(body && { body: JSON.stringify(body) }) },
    );
    assert.equal(answer.status, 200, answer.body);
    return JSON.parse(answer.body);
  };
  return {
    program: running.program,
    patient,
    impatient,
    ask: (request, body) => askOn(patient.http, request, body),
    toll: async () => {
      const { counts } = (await askOn(control, "GET /dead-letters")) as { counts: object };
      const { agents: all, restart_history: restarts } = (await askOn(
        control,
        "GET /snapshot",
      )) as {
        agents: { writer: { errors: number } };
        restart_history: unknown[];
      };
      return { ...counts, errors: all.writer.errors, restarts: restarts.length };
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Waits until so many messages are queued. */
async function untilWaiting(ask: Running["ask"], count: number): Promise<void> {
  for (;;) {
    const { waitingCount } = (await ask("POST /call/other", { quick: true })) as {
      waitingCount: number;
    };
    if (waitingCount >= count) return;
  }
}

const noToll = {
  noRoute: 0,
  refused: 0,
  expired: 0,
  abandoned: 0,
  stopped: 0,
  crashed: 0,
  skipped: 0,
  removed: 0,
  exhausted: 0,
  errors: 0,
  restarts: 0,
};

test("a client that leaves ends what it asked for, begun or queued, and the next one is served at once", async () => {
  await using running = await run();
  const { program, patient, ask, toll } = running;
  let leaverCount = 0;
  for (const client of leavableClients) {
    for (const how of ["own", "silent", "AbortError", "reason", "model"]) {
      leaverCount += 1;
      const id = `${client.name} ${how}`;
      const busy = await client.begin(patient, "writer", { how, id });
      await program.waitFor(new RegExp(`begin ${id};`));
      const queued = await client.begin(patient, "writer", { how, id: `queued ${id}` });
      await untilWaiting(ask, 1);
      queued.leave();
      // By the time this is answered the gateway has heard of it.
      await ask("POST /call/other", { quick: true });
      busy.leave();
      await ask("POST /call/writer", { quick: true });
      await program.waitFor(new RegExp(`end ${id};`));
      const expected = { ...noToll, abandoned: leaverCount };
      assert.deepEqual(await toll(), expected, `${id}\n${program.output}`);
    }
  }
  assert.doesNotMatch(program.output, /begin queued|crashed/);
  const modelCount = leavableClients.length;
  assert.equal(program.output.split("tokens stop").length - 1, modelCount);
});

test("a request whose time is over ends what it asked for, and a dozen of them starve nobody", async () => {
  await using running = await run();
  const { program, patient, impatient, ask, toll } = running;
  for (const client of leavableClients) {
    const id = `${client.name} late`;
    const late = await client.begin(impatient, "writer", { how: "own", id });
    await program.waitFor(new RegExp(`begin ${id};`));
    // Over streams it is the first chunk alone that has to come in that time.
    if (/stream|WebSocket|Stream/.test(client.name)) late.leave();
    await program.waitFor(new RegExp(`end ${id};`));
    await ask("POST /call/writer", { quick: true });
  }
  const [http1] = testClients;
  const [holder] = leavableClients;
  const held = await holder?.begin(patient, "writer", { how: "own", id: "holder" });
  await program.waitFor(/begin holder;/);
  const dead = Array.from({ length: 12 }, (_, number) =>
    http1.ask(
      { port: impatient.http },
      { request: "POST /call/writer", body: JSON.stringify({ id: `dead ${number}` }) },
    ),
  );
  const statuses = (await Promise.all(dead)).map(({ status }) => status);
  assert.deepEqual(
    statuses,
    Array.from({ length: 12 }, () => 504),
  );
  held?.leave();
  await ask("POST /call/writer", { quick: true });
  assert.doesNotMatch(program.output, /begin dead|crashed/);
  assert.deepEqual(await toll(), { ...noToll, expired: 12 });
});

test("the deadline of a gRPC call is the handler's, for calls, streams and what waits in the queue", async () => {
  await using running = await run();
  const { program, patient, ask, toll } = running;
  const client = new grpc.Client(`127.0.0.1:${patient.grpc}`, grpc.credentials.createInsecure());
  const same = (bytes: Buffer): Buffer => bytes;
  let timeoutMs = 200;
  const call = (mode: string, id: string, quick = false): Promise<number> =>
    new Promise((resolve) => {
      const options = { deadline: Date.now() + timeoutMs };
      const body = agentRequest(quick ? "other" : "writer", { how: "own", id, quick });
      const path = `/agentrt.Agent/${mode}`;
      if (mode === "Stream") {
        const stream = client.makeServerStreamRequest(path, same, same, body, options);
        stream.on("error", (error) => resolve((error as grpc.ServiceError).code));
        stream.resume();
      } else
        client.makeUnaryRequest(path, same, same, body, options, (error) =>
          resolve(error?.code ?? 0),
        );
    });
  for (const mode of ["Invoke", "Stream"]) {
    // On a machine that is busy a deadline may pass before the message is there.
    for (; !program.output.includes(`begin ${mode};`); timeoutMs *= 2) {
      assert.equal(await call(mode, mode), grpc.status.DEADLINE_EXCEEDED);
    }
    await program.waitFor(new RegExp(`end ${mode};`));
  }
  const before = (await toll()) as typeof noToll;
  const [holder] = leavableClients;
  const held = await holder?.begin(patient, "writer", { how: "own", id: "holder" });
  await program.waitFor(/begin holder;/);
  const queued = await Promise.all([
    call("Invoke", "queued call"),
    call("Stream", "queued stream"),
  ]);
  assert.deepEqual(queued, [grpc.status.DEADLINE_EXCEEDED, grpc.status.DEADLINE_EXCEEDED]);
  // The client's own clock ended both: an answer over the same connection says that the gateway has read it.
  timeoutMs = 60_000;
  assert.equal(await call("Invoke", "reader", true), grpc.status.OK);
  held?.leave();
  await ask("POST /call/writer", { quick: true });
  assert.doesNotMatch(program.output, /begin queued|crashed/);
  const { expired, abandoned, ...rest } = (await toll()) as typeof noToll;
  // Who is faster, the client's own clock or the gateway's, is open.
  assert.ok(expired + abandoned > before.expired + before.abandoned);
  assert.deepEqual({ ...rest, expired: 0, abandoned: 0 }, noToll);
  client.close();
});
