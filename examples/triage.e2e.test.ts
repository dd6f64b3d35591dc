/** The service of `examples/triage`, started by the command line and asked by clients of others: curl, Node's WebSocket, grpc-js. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  repetitions,
  runProgram,
  skipUnless,
  startProgram,
  type TemporaryFolder,
} from "testkit";

const example = fileURLToPath(new URL("triage/", import.meta.url));
const protocol = fileURLToPath(new URL("../agentrt/src/gateway/grpc/agent.proto", import.meta.url));
const key = "first-key";
const lost = { text: "My parcel is lost" };

interface Service {
  readonly url: string;
  readonly controlUrl: string;
  readonly grpcAddress: string;
  readonly program: Program;
}

interface Chunk {
  readonly team?: string;
  readonly text?: string;
  readonly turns?: number;
}

function newFolder(): TemporaryFolder {
  const stateKey = Buffer.alloc(32, 7).toString("base64");
  return createTemporaryFolder({
    ".env": `AGENTRT_GATEWAY_API_KEYS=second-key,${key}\nAGENTRT_STATE_KEY=${stateKey}\n`,
  });
}

/** Starts the service in a folder, on free ports: an overlay changes nothing else. */
async function start(folder: TemporaryFolder, more = ""): Promise<Service> {
  const grpcPort = await freePort();
  folder.write({
    "ports.yaml": `supervision:
  children:
    - { name: api, port: 0, grpc_port: ${grpcPort} }
    - { name: control, port: 0 }
${more}`,
  });
  const files = [join(example, "topology.yaml"), "-t", "ports.yaml", "--env-from", ".env"];
  const program = startProgram(process.execPath, [agentrtLauncher(), "run", ...files], {
    workingDirectory: folder.path,
  });
  const [, url = ""] = await program.waitFor(/api listens on (\S+)/);
  const [, controlUrl = ""] = await program.waitFor(/control_gateway listens on (\S+)/);
  await program.waitFor(/started/);
  return { url, controlUrl, grpcAddress: `localhost:${grpcPort}`, program };
}

async function stop({ program }: Service): Promise<void> {
  program.kill("SIGTERM");
  const { code, stderr } = await program.exited();
  assert.equal(code, 0, stderr);
}

function post(url: string, body: object, options: RequestInit = {}): Promise<Response> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), ...options });
}

function chunksOf(events: string): Chunk[] {
  return [...events.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Chunk);
}

async function ask(service: Service, ticket: string, body: object): Promise<Chunk[]> {
  return chunksOf(await (await post(`${service.url}/tickets/${ticket}`, body)).text());
}

function textOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ text = "" }) => text).join("");
}

test(
  "a ticket is read and answered word by word, with a key only, by curl",
  { skip: skipUnless("curl") },
  async () => {
    using folder = newFolder();
    const service = await start(folder);
    const url = `${service.url}/tickets/4711`;
    const curl = async (...words: string[]) =>
      (await runProgram("curl", ["--no-progress-meter", "-N", url, ...words])).stdout;
    const told = chunksOf(await curl("-H", `X-API-Key: ${key}`, "--json", JSON.stringify(lost)));
    assert.deepEqual(told.at(0), { team: "shipping" });
    assert.equal(
      textOf(told),
      'The team shipping looks into your message number 1: "My parcel is lost"',
    );
    assert.ok(told.length > 10, "word by word");
    assert.deepEqual(told.at(-1), { turns: 2 });
    const refused = await curl("--json", JSON.stringify(lost));
    assert.match(refused, /invalid or missing API key/);
    const wrong = await curl("-H", `X-API-Key: ${key}`, "--json", '{"text": " "}');
    assert.match(wrong, /"path":"payload.text"/);
    await stop(service);
  },
);

test("WebSocket and gRPC reach the same tickets, with the same keys", async () => {
  using folder = newFolder();
  const service = await start(folder);
  const socket = new WebSocket(`${service.url.replace("http", "ws")}/live/4711`, [
    `agentrt.bearer.${key}`,
  ]);
  const heard: Chunk[] = [];
  const closed = Promise.withResolvers<number>();
  socket.addEventListener("open", () => socket.send(JSON.stringify(lost)));
  socket.addEventListener("message", ({ data }) => {
    heard.push(JSON.parse(String(data)) as Chunk);
    if (heard.at(-1)?.turns !== undefined) socket.close(1000);
  });
  socket.addEventListener("close", ({ code }) => closed.resolve(code));
  assert.equal(await closed.promise, 1000);
  assert.deepEqual([heard.at(0), heard.at(-1)], [{ team: "shipping" }, { turns: 2 }]);

  const options = { keepCase: true, includeDirs: [join(protocol, "..")] };
  const definition = grpc.loadPackageDefinition(loadSync(protocol, options));
  const { Agent } = definition["agentrt"] as { readonly Agent: grpc.ServiceClientConstructor };
  const client = new Agent(service.grpcAddress, grpc.credentials.createInsecure());
  const payload = {
    fields: { ticket: { stringValue: "4711" }, text: { stringValue: "Any news?" } },
  };
  const streamOf = (metadata: grpc.Metadata): grpc.ClientReadableStream<GrpcReply> =>
    client["Stream"]?.(
      { recipient: "ticket", payload },
      metadata,
    ) as grpc.ClientReadableStream<GrpcReply>;
  const metadata = new grpc.Metadata();
  metadata.set("x-api-key", key);
  const replies: GrpcReply[] = [];
  for await (const reply of streamOf(metadata)) replies.push(reply as GrpcReply);
  assert.equal(replies.at(-1)?.payload.fields["turns"]?.numberValue, 4);
  const refused = once(streamOf(new grpc.Metadata()));
  await assert.rejects(refused, { code: grpc.status.UNAUTHENTICATED });
  client.close();
  await stop(service);
});

interface GrpcReply {
  readonly payload: {
    readonly fields: { readonly [name: string]: { readonly numberValue?: number } };
  };
}

async function once(stream: grpc.ClientReadableStream<GrpcReply>): Promise<void> {
  for await (const _ of stream) return;
}

test("a hundred tickets at once are all answered; one who leaves takes nobody along", async () => {
  using folder = newFolder();
  const service = await start(folder);
  const leaving = new AbortController();
  const { body } = await post(`${service.url}/tickets/gone`, lost, { signal: leaving.signal });
  await body?.getReader().read();
  leaving.abort();
  const asked = Array.from({ length: 100 }, async (_, index) => {
    const chunks = await ask(service, `ticket-${index}`, { text: `Invoice ${index}` });
    assert.deepEqual([chunks.at(0), chunks.at(-1)], [{ team: "billing" }, { turns: 2 }]);
    assert.ok(textOf(chunks).endsWith(`"Invoice ${index}"`));
  });
  await Promise.all(asked);
  await stop(service);
});

test("a stop in the middle of an answer lets it end; after the next start the ticket goes on, and the disk holds no word of it", async () => {
  using folder = newFolder();
  const first = await start(folder);
  const response = await post(`${first.url}/tickets/4711`, lost);
  const events = response.text();
  first.program.kill("SIGTERM");
  assert.deepEqual(chunksOf(await events).at(-1), { turns: 2 });
  assert.equal((await first.program.exited()).code, 0);
  for (const name of ["tickets.db", "tickets.db-wal"]) {
    const path = join(folder.path, name);
    assert.ok(!readFileSync(path, { flag: "a+" }).includes("parcel"), name);
  }
  const second = await start(folder);
  const chunks = await ask(second, "4711", { text: "Any news?" });
  assert.match(textOf(chunks), /message number 2/);
  assert.deepEqual(chunks.at(-1), { turns: 4 });
  await stop(second);
});

test("an answer with the number of a card halts the writer, and people take over", async () => {
  using folder = newFolder();
  const service = await start(folder);
  await ask(service, "1", { text: "What is my card?" });
  await service.program.waitFor(/halt/);
  assert.equal(textOf(await ask(service, "2", lost)), "A person will answer you.");
  const writer = (await (await fetch(`${service.controlUrl}/agents/writer`)).json()) as {
    status: string;
  };
  assert.equal(writer.status, "STOPPED");
  await stop(service);
});

test("a budget that is used up stops the model, not the service", async () => {
  using folder = newFolder();
  const service = await start(folder, "    - { name: writer, budget: { tokens: 10 } }\n");
  assert.match(textOf(await ask(service, "1", lost)), /looks into your message/);
  assert.equal(textOf(await ask(service, "2", lost)), "A person will answer you.");
  await stop(service);
});

test("the simulation finds no ticket that forgets what it said it had kept", async () => {
  const runs = repetitions(100);
  const tree = [join(example, "topology.yaml"), "--workload", "./promises.ts#tickets"];
  const words = ["sim", ...tree, "--runs", String(runs)];
  const { code, stdout } = await runProgram(process.execPath, [agentrtLauncher(), ...words], {
    workingDirectory: example,
  });
  assert.equal(code, 0, stdout);
  assert.ok(stdout.startsWith(`${runs} runs, seeds 1 to ${runs}: no invariant broken\n`), stdout);
});
