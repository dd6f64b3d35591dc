import assert from "node:assert/strict";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { agentrtLauncher, createTemporaryFolder, freePort, startProgram } from "testkit";

/** Starts that are under way together: the machine is to be busy. */
const laneCount = 4;
/** How long a start may take on a busy machine until the first call is answered. */
const startMsMax = 120_000;
/** No call may take longer: one that waits for its whole time limit, half a minute, is what this soak looks for. */
const answerMsMax = 20_000;

const agents = `
import { Agent } from "agentrt";

export class Front extends Agent {
  override async handle({ payload }) {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { ...(await this.call("back", payload)), count: this.state["count"] };
  }
}

export class Back extends Agent {
  override async handle({ payload }) {
    return { said: payload["say"] };
  }
}

// The worker comes before, while, or after the tree starts.
export class Slow extends Agent {
  override async onStart() {
    await new Promise((resolve) => setTimeout(resolve, Number(process.env["SLOW_MS"])));
  }
  override handle() {}
}
`;

/**
 * Starts a supervisor and a worker over zmq, so often and several at a time, with signed messages in every other start, and asks through
 * both as soon as the gateway listens: every call is answered soon, or fails with a typed error while the worker is away.
 *
 * @param rounds How many starts.
 * @returns What was done.
 * @throws Error that says which start was wrong, with what both processes wrote.
 */
export async function soakLinkStarts(rounds: number): Promise<string> {
  const startTimes: number[] = [];
  const answerTimes: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < rounds) {
      next += 1;
      const round = next;
      // oxlint-disable-next-line no-await-in-loop -- so many lanes, one start at a time in each
      const { startMs, answerMs } = await startOnce(round);
      startTimes.push(startMs);
      answerTimes.push(answerMs);
      process.stderr.write(`  start ${startTimes.length} of ${rounds}\n`);
    }
  };
  await Promise.all(Array.from({ length: laneCount }, async () => await lane()));
  return (
    `link-starts: zmq: ${startTimes.length} starts, all clean; served within ${longest(startTimes)} ms, ` +
    `the slowest call took ${longest(answerTimes)} ms`
  );
}

async function startOnce(round: number) {
  const isSigned = round % 2 === 0;
  const port = await freePort();
  using folder = createTemporaryFolder({
    "package.json": '{"type":"module"}',
    "agents.ts": agents,
    "topology.yaml": topologyOf({
      isSigned,
      port,
      ends: [await freePort(), await freePort()],
    }),
  });
  const run = (...words: string[]) =>
    startProgram(process.execPath, [agentrtLauncher(), "run", "--log-level", "debug", ...words], {
      workingDirectory: folder.path,
      environment: { SLOW_MS: String((round * 137) % 1500) },
      timeoutMs: 2 * startMsMax,
    });
  const begunMs = performance.now();
  await using worker = run("--process", "heavy");
  await using supervisor = run();
  const outputs = (): string => `worker:\n${worker.output}\nsupervisor:\n${supervisor.output}`;
  let answerMs = 0;
  for (;;) {
    for (const { process: child } of [worker, supervisor])
      assert.equal(child.exitCode, null, `start ${round} ended: ${outputs()}`);
    const askedMs = performance.now();
    const status = await ask(port);
    answerMs = Math.max(answerMs, performance.now() - askedMs);
    if (status === 200) return { startMs: performance.now() - begunMs, answerMs };
    const isExpected = status === undefined || status === 502 || status === 503;
    assert.ok(isExpected, `start ${round}: ${status}: ${outputs()}`);
    assert.ok(answerMs < answerMsMax, `start ${round}: a call took ${answerMs} ms: ${outputs()}`);
    const isInTime = performance.now() - begunMs < startMsMax;
    assert.ok(isInTime, `start ${round}: not served in ${startMsMax} ms: ${outputs()}`);
    await sleep(5);
  }
}

/** @returns The status of the answer; 0 for none in time, undefined while nobody listens. */
async function ask(port: number): Promise<number | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ say: "hello" }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    await response.text();
    return response.status;
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? 0 : undefined;
  }
}

function topologyOf(made: {
  readonly isSigned: boolean;
  readonly port: number;
  readonly ends: readonly [pub: number, sub: number];
}): string {
  const { isSigned, port, ends } = made;
  const [pub, sub] = ends.map((end) => `tcp://127.0.0.1:${end}`);
  return `transport: { type: zmq, pub_addr: "${pub}", sub_addr: "${sub}" }
plugins: { state: { type: sqlite } }
security: { signing: { enabled: ${isSigned} } }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 1000000
  children:
    - agent: { name: front, type: agents.Front }
    - agent: { name: slow, type: agents.Slow }
    - agent: { name: back, type: agents.Back, process: heavy }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${port}, routes: [{ method: POST, path: /ask, agent: front }] } }
`;
}

function longest(times: readonly number[]): number {
  return Math.round(Math.max(...times));
}
