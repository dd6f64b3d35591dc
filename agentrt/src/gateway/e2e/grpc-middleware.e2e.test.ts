/** Middleware around calls of gRPC, through `agentrt run`, with the client of @grpc/grpc-js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import { freePort, type Program } from "testkit";
import type { JsonObject } from "../../core/index.ts";
import { readStruct } from "../grpc/struct.ts";
import { readFields, readNested } from "../grpc/wire-reader.ts";
import { agentRequest } from "./test-support/leaving-clients.ts";
import { startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Teller extends Agent {
  override handle(message: Message) {
    if (message.payload["do"] === "log") console.log("was cast;");
    return message.isStream ? this.#tell(message) : Promise.resolve({ n: 0, secret: "blue" });
  }

  async *#tell({ payload, signal }: Message) {
    try {
      yield { n: 1, secret: "blue" };
      if (payload["do"] === "hold") {
        console.log("holds;");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        console.log("was let go;");
        return;
      }
      if (payload["do"] === "fail") throw new Error("secret of the agent");
      yield { n: 2, secret: "red" };
    } finally {
      console.log("teller ends;");
    }
  }
}
`;

const guards = `
import type { JsonObject, Middleware } from "agentrt";

async function* without(chunks: AsyncIterable<JsonObject>) {
  let sum = 0;
  for await (const { secret: _, ...chunk } of chunks) {
    sum += 1;
    yield chunk;
  }
  yield { sum };
}

async function* own(fails: boolean) {
  yield { own: 1 };
  if (fails) throw new Error("secret of the middleware");
  yield { own: 2 };
}

const ways: { readonly [name: string]: Middleware } = {
  discreet: async (request, next) => {
    const response = await next(request);
    console.log("status " + response.status + ";");
    if (response.chunks !== undefined) return { ...response, chunks: without(response.chunks) };
    const { secret: _, ...body } = (response.body ?? {}) as JsonObject;
    return { ...response, body };
  },
  own: async () => ({ chunks: own(false) }),
  "own-fail": async () => ({ chunks: own(true) }),
  "own-body": async () => ({ body: { cached: true } }),
  "own-list": async () => ({ body: [1] }),
  late: async (request, next) => {
    await next(request);
    return { status: 403, body: { error: "after all" } };
  },
  broken: async (request, next) => {
    await next(request);
    throw new Error("secret of the middleware");
  },
  lines: async (request, next) => {
    const { chunks = [] } = await next(request);
    async function* text() {
      for await (const chunk of chunks) yield JSON.stringify(chunk);
    }
    return { stream: text() };
  },
};

export const guard: Middleware = (request, next) =>
  (ways[request.headers["x-way"] ?? ""] ?? ((given) => next(given)))(request, next);
`;

interface Answer {
  readonly code: number;
  readonly details: string;
  readonly messages: readonly JsonObject[];
}

interface Running extends AsyncDisposable {
  readonly program: Program;
  readonly client: grpc.Client;
}

async function run(): Promise<Running> {
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  const running = await startTopology({
    files: { "agents.ts": agents, "guards.ts": guards },
    topology: `supervision:
  name: root
  backoff_base: 0
  max_restarts: 100
  children:
    - agent: { name: teller, type: agents.Teller }
    - name: gateway
      type: http_gateway
      config: { host: 127.0.0.1, port: ${httpPort}, grpc_enabled: true, grpc_port: ${grpcPort}, middleware: [guards.guard] }
`,
  });
  const client = new grpc.Client(`localhost:${grpcPort}`, grpc.credentials.createInsecure());
  return {
    program: running.program,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      await running[Symbol.asyncDispose]();
    },
  };
}

const same = (bytes: Buffer): Buffer => bytes;

function decode(bytes: Buffer): JsonObject {
  for (const field of readFields(bytes)) {
    if (field.number === 1) return JSON.parse(JSON.stringify(readStruct(readNested(field))));
  }
  return {};
}

function wayOf(name: string): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set("x-way", name);
  return metadata;
}

function open(client: grpc.Client, way: string, payload: JsonObject = {}) {
  const body = agentRequest("teller", payload);
  return client.makeServerStreamRequest("/agentrt.Agent/Stream", same, same, body, wayOf(way));
}

async function stream(client: grpc.Client, way: string, payload: JsonObject = {}): Promise<Answer> {
  const messages: JsonObject[] = [];
  try {
    for await (const bytes of open(client, way, payload)) messages.push(decode(bytes as Buffer));
    return { code: 0, details: "", messages };
  } catch (error) {
    const { code, details } = error as grpc.ServiceError;
    return { code, details, messages };
  }
}

function ask(client: grpc.Client, method: string, way: string): Promise<Answer> {
  const body = agentRequest("teller", { do: "log" });
  return new Promise((resolve) => {
    const path = `/agentrt.Agent/${method}`;
    client.makeUnaryRequest(path, same, same, body, wayOf(way), (error, reply) =>
      resolve({
        code: error?.code ?? 0,
        details: error?.details ?? "",
        messages: reply === undefined ? [] : [decode(reply)],
      }),
    );
  });
}

const { OK, INTERNAL, PERMISSION_DENIED } = grpc.status;

test("middleware changes the chunks of a gRPC stream, makes its own, and refuses", async () => {
  await using running = await run();
  const { client, program } = running;
  const rows: readonly [string, JsonObject, Answer][] = [
    ["discreet", {}, { code: OK, details: "", messages: [{ n: 1 }, { n: 2 }, { sum: 2 }] }],
    [
      "discreet",
      { do: "fail" },
      { code: INTERNAL, details: "agent 'teller' crashed", messages: [{ n: 1 }] },
    ],
    ["own", {}, { code: OK, details: "", messages: [{ own: 1 }, { own: 2 }] }],
    ["own-fail", {}, { code: INTERNAL, details: "internal error", messages: [{ own: 1 }] }],
    ["own-body", {}, { code: OK, details: "", messages: [{ cached: true }] }],
    [
      "none",
      {},
      {
        code: OK,
        details: "",
        messages: [
          { n: 1, secret: "blue" },
          { n: 2, secret: "red" },
        ],
      },
    ],
  ];
  for (const [way, payload, expected] of rows) {
    assert.deepEqual(await stream(client, way, payload), expected, way);
  }
  const refused: readonly [string, number, string][] = [
    ["late", PERMISSION_DENIED, "after all"],
    ["broken", INTERNAL, "internal error"],
    ["lines", INTERNAL, "internal error"],
    ["own-list", INTERNAL, "internal error"],
  ];
  for (const [way, code, details] of refused) {
    const ends = program.output.split("teller ends;").length;
    const answer = await stream(client, way, { do: "hold" });
    assert.deepEqual(answer, { code, details, messages: [] }, way);
    // Nobody wants what the agent says: it hears of it at once.
    if (way !== "own-list") await program.waitFor(new RegExp(`(teller ends;[^]*){${ends}}`));
  }
  assert.match(program.output, /A gRPC call failed.*text, which gRPC does not send/);
  assert.match(program.output, /A streamed response failed.*secret of the middleware/);
});

test("middleware changes the reply of a gRPC call, and answers in its place", async () => {
  await using running = await run();
  const { client, program } = running;
  const rows: readonly [string, string, number, string, readonly JsonObject[]][] = [
    ["Invoke", "none", OK, "", [{ n: 0, secret: "blue" }]],
    ["Invoke", "discreet", OK, "", [{ n: 0 }]],
    ["Invoke", "own-body", OK, "", [{ cached: true }]],
    ["Invoke", "own", INTERNAL, "internal error", []],
    ["Invoke", "own-list", INTERNAL, "internal error", []],
    ["Invoke", "late", PERMISSION_DENIED, "after all", []],
    ["Cast", "discreet", OK, "", [{}]],
    ["Cast", "own-body", OK, "", [{}]],
  ];
  for (const [method, way, code, details, messages] of rows) {
    const answer = await ask(client, method, way);
    assert.deepEqual(answer, { code, details, messages }, `${method} ${way}`);
  }
  assert.match(program.output, /status 200;[^]*status 202;/);
});

test("a gRPC client that leaves while middleware waits for a chunk lets the agent go at once", async () => {
  await using running = await run();
  for (const [count, way] of ["discreet", "none"].entries()) {
    const call = open(running.client, way, { do: "hold" });
    call.on("error", () => undefined);
    call.resume();
    await running.program.waitFor(new RegExp(`(holds;[^]*){${count + 1}}`));
    call.cancel();
    await running.program.waitFor(new RegExp(`(was let go;[^]*){${count + 1}}`));
  }
  assert.doesNotMatch(running.program.output, /crashed/);
});
