import assert from "node:assert/strict";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  startProgram,
} from "testkit";
import { type ClientTimes, lateOf, lineOf } from "./client-times.ts";
import { cpuWaitMs } from "./cpu-wait.ts";
import { startStubModel, type StubModel } from "./stub-model.ts";
import { type StreamClient, type StreamPorts, streamClients } from "./stream-clients.ts";
import { warnings } from "./warnings.ts";

const binary = agentrtLauncher();
const tokenCount = 20;
/** Of a full soak: answers of two seconds. */
const tokenIntervalMs = 100;
const clientCountFull = 200;
const tokenIntervalMsShort = 10;
/** An answer that takes so long is none. */
const hungAfterMs = 30_000;

const agents = `
import { Agent, type Message } from "agentrt";

export class Writer extends Agent {
  override async *handle({ payload }: Message) {
    const messages = [{ role: "user" as const, content: String(payload["id"]) }];
    for await (const chunk of this.llm.stream({ messages }))
      if (chunk.type === "text") yield { text: chunk.text };
  }
}
`;

/** Ways to serve many clients behind one name. */
const ways: { readonly [name: string]: (clientCount: number) => string } = {
  concurrent: (count) =>
    `agent: { name: concurrent, type: agents.Writer, concurrency: ${2 * count} }`,
  keyed: () => "{ type: keyed, name: keyed, class: agents.Writer, key: id }",
  // Who leaves asks once more, while the member that it has left may still end.
  pool: (count) => `{ type: pool, name: pool, class: agents.Writer, size: ${2 * count} }`,
};

/**
 * Streams answers of a stub model to many clients at once through one route, over SSE, HTTP/2, WebSocket and gRPC, from an
 * agent with `concurrency`, from one agent a key and from a pool. Then half of the clients leave at a random moment: the
 * others get all, the model is left, nothing crashes, and the next request is served.
 *
 * @param clientCount How many clients at once. With 200 and more, answers take two seconds and the times are judged, too.
 * @returns The times.
 * @throws Error for an answer that is not whole, a model that goes on for nobody, a crash, and in a full soak for lateness
 * that the machine's other work does not explain.
 */
export async function soakClients(clientCount: number): Promise<string> {
  const isFull = clientCount >= clientCountFull;
  const intervalMs = isFull ? tokenIntervalMs : tokenIntervalMsShort;
  await using model = await startStubModel({ tokenCount, intervalMs });
  const ports: StreamPorts = { http: await freePort(), grpc: await freePort() };
  const controlPort = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology({ clientCount, ports, controlPort, modelUrl: model.url }),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { OPENAI_API_KEY: undefined },
    timeoutMs: 600_000,
  });
  await program.waitFor(/started/);
  // The first answer of a process loads the model's client, and no code is compiled yet.
  const [firstWay = ""] = Object.keys(ways);
  const firstMs = await readWhole({ way: firstWay, client: streamClients[0], ports }, "first");
  const lines: string[] = [`  the first answer of the process: ${firstMs.toFixed(0)} ms`];
  const late: string[] = [];
  for (const way of Object.keys(ways)) {
    for (const client of streamClients) {
      const setting = {
        clientCount,
        way,
        client,
        ports,
        model,
        durationMs: tokenCount * intervalMs,
      };
      // The clients and the model are in this process.
      const pids = [process.pid, program.process.pid ?? process.pid];
      const waitedMs = cpuWaitMs(pids);
      const seen = await stream(setting);
      const times = { ...seen, cpuWaitMs: cpuWaitMs(pids) - waitedMs };
      process.stderr.write(`  ${way}, ${client.name} done\n`);
      await verifyCalm(program, controlPort);
      lines.push(lineOf(`${way}, ${client.name}`, times));
      if (isFull) late.push(...lateOf(`${way}, ${client.name}`, times));
    }
  }
  assert.ok(late.length === 0, [...late, ...lines].join("\n"));
  const count = clientCount * Object.keys(ways).length * streamClients.length;
  return `clients: ${count} whole answers, as many with half of the clients leaving; no crash, no restart\n${lines.join("\n")}`;
}

interface Place {
  readonly clientCount: number;
  readonly ports: StreamPorts;
  readonly controlPort: number;
  readonly modelUrl: string;
}

function topology({ clientCount, ports, controlPort, modelUrl }: Place): string {
  const names = Object.keys(ways);
  const routes = names.map(
    (name) => `          - { method: POST, path: /${name}, agent: ${name}, mode: stream }`,
  );
  const wsRoutes = names.map((name) => `          - { path: /ws/${name}, agent: ${name} }`);
  return `plugins:
  models: [{ type: openai, config: { base_url: "${modelUrl}/v1", default_model: stub } }]
supervision:
  name: root
  children:
${Object.values(ways)
  .map((node) => `    - ${node(clientCount)}`)
  .join("\n")}
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: ${controlPort} } }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${ports.http}
        grpc_enabled: true
        grpc_port: ${ports.grpc}
        routes:
${routes.join("\n")}
        ws_routes:
${wsRoutes.join("\n")}
`;
}

interface Setting {
  readonly clientCount: number;
  readonly way: string;
  readonly client: StreamClient;
  readonly ports: StreamPorts;
  readonly model: StubModel;
  readonly durationMs: number;
}

async function stream(setting: Setting): Promise<Omit<ClientTimes, "cpuWaitMs">> {
  const { clientCount, way, client, model } = setting;
  const idsOf = (phase: string): string[] =>
    Array.from({ length: clientCount }, (_, index) => `${way}-${client.name}-${phase}-${index}`);
  const wholeMs = await Promise.all(idsOf("whole").map((id) => readWhole(setting, id)));
  const stopMs: number[] = [];
  const nextMs: number[] = [];
  const staying = idsOf("half").map(async (id, index) => {
    if (index % 2 === 0) {
      wholeMs.push(await readWhole(setting, id));
      return;
    }
    const leftAtMs = await readSome(setting, id);
    // The next request is one of the same client: of a keyed agent, of the same key.
    const startedMs = performance.now();
    const firstMs = new Promise<number>((resolve) => {
      let count = 0;
      const onChunk = (): boolean => {
        resolve(performance.now());
        return (count += 1) === tokenCount;
      };
      const next = client.open({ ...setting, id, onChunk });
      next.ended.then(
        () => resolve(Number.NaN),
        () => resolve(Number.NaN),
      );
    });
    const late = `${id}: nobody has left the model`;
    // Negative for one who came too late to leave in the middle.
    const goneMs = (await within(model.ended(id), late)) - leftAtMs;
    if (goneMs >= 0) stopMs.push(goneMs);
    nextMs.push((await within(firstMs, `${id}: the next request got nothing`)) - startedMs);
  });
  await Promise.all(staying);
  assert.ok(
    nextMs.every((ms) => ms >= 0),
    `${way}, ${client.name}: a next request got nothing`,
  );
  await within(model.idle(), `${way}, ${client.name}: the model still answers somebody`);
  return { wholeMs, stopMs, nextMs };
}

/** Waits, but not for ever: rejects with `late` after a time in which every slow answer has come. */
async function within<Value>(waited: Promise<Value>, late: string): Promise<Value> {
  const timeout = new AbortController();
  const tooLate = sleep(hungAfterMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(late);
  });
  try {
    return await Promise.race([waited, tooLate]);
  } finally {
    timeout.abort();
    tooLate.catch(() => undefined);
  }
}

/** @returns How long it took. */
async function readWhole(
  { client, ports, way }: Pick<Setting, "client" | "ports" | "way">,
  id: string,
): Promise<number> {
  let count = 0;
  const startedMs = performance.now();
  const opened = client.open({ ports, way, id, onChunk: () => (count += 1) === tokenCount });
  await within(opened.ended, `${id}: its answer has no end`);
  assert.equal(count, tokenCount, `${id}: ${count} of ${tokenCount} chunks came`);
  return performance.now() - startedMs;
}

/** @returns When it left. */
async function readSome({ client, ports, way, durationMs }: Setting, id: string): Promise<number> {
  const begun = Promise.withResolvers<void>();
  const opened = client.open({ ports, way, id, onChunk: () => begun.resolve() });
  opened.ended.catch(begun.reject);
  await within(begun.promise, `${id}: its answer has no beginning`);
  await sleep(Math.random() * durationMs * 0.6);
  opened.leave();
  return performance.now();
}

/** Nobody has crashed, or is there again after a crash. */
async function verifyCalm(program: Program, controlPort: number): Promise<void> {
  assert.doesNotMatch(program.output, warnings);
  const response = await fetch(`http://127.0.0.1:${controlPort}/topology`);
  assert.doesNotMatch(await response.text(), /"(?:restart_count|crashes_in_window)":[1-9]/);
}
