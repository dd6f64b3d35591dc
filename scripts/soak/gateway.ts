import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { agentrtLauncher, createTemporaryFolder, freePort, startProgram } from "testkit";
import { http1Lane } from "../../bench/rivals/http1-lane.ts";
import { http2Lane } from "../../bench/rivals/http2-lane.ts";
import type { Lane } from "../../bench/rivals/served.ts";
import { webSocketLane } from "../../bench/rivals/websocket-lane.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Echo extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}
`;

/** Calls of one connection, which is then opened again. */
const connectionCallCount = 500;
const sampleIntervalMaxMs = 2000;
const sampleCountMin = 6;
/** So much more memory may the last fifth of a soak take than the second: a share, and megabytes. */
const growthShareMax = 0.1;
const growthMegabytesMax = 10;
/** In a soak of less than a minute: the heap of a new process settles in its first six seconds, some 70 MB higher. */
const youngGrowthMegabytesMax = 80;
const settledAfterSeconds = 60;

const http2 = http2Lane(4, {
  path: "/agents/echo",
  headers: [["content-type", "application/json"]],
  body: (sequence) => Buffer.from(`{"sequence":${sequence}}`),
  isReply: (body, sequence) => body.toString() === `{"sequence":${sequence}}`,
});

/**
 * Calls an agent through the gateway of a real `agentrt run`, over HTTP/1.1, HTTP/2 and WebSocket at once, with
 * connections that come and go: every reply is right, and memory stays flat.
 *
 * @param seconds How long.
 * @returns What was done.
 * @throws Error for a wrong reply, a closed connection, and memory that grows.
 */
export async function soakGateway(seconds: number): Promise<string> {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes: [{ method: POST, path: /agents/echo, agent: echo }]
        ws_routes: [{ path: /echo, agent: echo }]
`,
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    timeoutMs: (seconds + 120) * 1000,
  });
  await program.waitFor(/started/);
  const endMs = performance.now() + seconds * 1000;
  const lanes = [http1Lane(), http1Lane(), http2, http2, webSocketLane, webSocketLane];
  const calling = Promise.all(lanes.map((lane) => callUntil(endMs, lane, port)));
  const samples: number[] = [];
  const sampleIntervalMs = Math.min(sampleIntervalMaxMs, (seconds * 1000) / sampleCountMin);
  const sampling = (async (): Promise<void> => {
    while (performance.now() < endMs) {
      await sleep(sampleIntervalMs);
      samples.push(megabytesOf(program.process.pid));
    }
  })();
  await sampling;
  const counts = await calling;
  const early = meanOf(samples.slice(samples.length / 5, (2 * samples.length) / 5));
  const late = meanOf(samples.slice((-1 * samples.length) / 5));
  const memory = `${early.toFixed(0)} MB at first, ${late.toFixed(0)} MB at last, ${Math.max(...samples).toFixed(0)} MB at most`;
  const megabytesMax = seconds < settledAfterSeconds ? youngGrowthMegabytesMax : growthMegabytesMax;
  assert.ok(late <= early * (1 + growthShareMax) + megabytesMax, `memory grew: ${memory}`);
  const callCount = counts.reduce((sum, count) => sum + count, 0);
  return `gateway: ${seconds} s, ${callCount} calls, each answered right; ${memory}`;
}

/** Calls on one connection after the other. */
async function callUntil(endMs: number, lane: Lane, port: number): Promise<number> {
  let count = 0;
  while (performance.now() < endMs) count += await lane(port, sequences(count));
  return count;
}

function* sequences(after: number): Generator<number, undefined> {
  for (let number = after + 1; number <= after + connectionCallCount; number += 1) yield number;
  return undefined;
}

/** Memory of a process, megabytes. */
function megabytesOf(id: number | undefined): number {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
