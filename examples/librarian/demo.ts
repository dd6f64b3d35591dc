/**
 * What `npm start` shows: `agentrt run` on this folder's topology, its URLs, and three `curl` lines to paste. With
 * `--once` it sends them itself, crashes `flaky`, shows the restart in `GET /topology`, stops the runtime and ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const agentrtBinary = fileURLToPath(new URL("../../agentrt/bin/agentrt.cjs", import.meta.url));
const question = "how does a supervisor restart its children";
const restartDeadlineMs = 10_000;

interface Demo {
  readonly gatewayUrl: string;
  readonly controlUrl: string;
  readonly topologyPath: string;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  const answer = await isListening;
  server.close();
  return answer;
}

async function freePortFrom(first: number): Promise<number> {
  for (let port = first; port < first + 100; port += 1) if (await isFree(port)) return port;
  throw new Error(`no free port between ${first} and ${first + 99}`);
}

/** The committed topology, or a copy next to it with free ports where the usual ones are taken. */
async function prepare(): Promise<Demo> {
  const gatewayPort = await freePortFrom(8080);
  const controlPort = await freePortFrom(6789);
  let topologyPath = join(folder, "topology.yaml");
  if (gatewayPort !== 8080 || controlPort !== 6789) {
    const text = readFileSync(topologyPath, "utf8")
      .replace("port: 8080", `port: ${gatewayPort}`)
      .replace("port: 6789", `port: ${controlPort}`);
    topologyPath = join(folder, `.topology-${process.pid}.yaml`);
    writeFileSync(topologyPath, text);
    process.on("exit", () => rmSync(topologyPath, { force: true }));
  }
  return {
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    controlUrl: `http://127.0.0.1:${controlPort}`,
    topologyPath,
  };
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

/** Resolves once the topology server answers; fails when the runtime ends before. */
async function waitUntilUp(demo: Demo, runtime: ChildProcess): Promise<void> {
  while (!(await isUp(demo.controlUrl))) {
    if (runtime.exitCode !== null || runtime.signalCode !== null)
      throw new Error("the runtime ended before it was up");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function printInvitation(demo: Demo): void {
  console.log(`
  gateway   ${demo.gatewayUrl}
  topology  ${demo.controlUrl}/topology

Ask the librarian about this repository, crash the flaky agent, look at the tree:

  curl '${demo.gatewayUrl}/ask?question=${encodeURIComponent(question)}'
  curl -X POST ${demo.gatewayUrl}/flaky/crash
  curl ${demo.controlUrl}/topology

Ctrl+C stops everything.
`);
}

/** JSON on one line where it fits, else indented, lists of small things one a line. */
function formatJson(value: unknown): string {
  const flat = JSON.stringify(value);
  if (flat.length <= 90 || typeof value !== "object" || value === null) return flat;
  if (Array.isArray(value))
    return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(",\n")}\n  ]`;
  const members = Object.entries(value).map(([key, member]) => `  "${key}": ${formatJson(member)}`);
  return `{\n${members.join(",\n")}\n}`;
}

/** Prints the curl line of a request, sends it, prints and returns the answer. */
async function show(
  method: "GET" | "POST",
  url: string,
): Promise<{ status: number; body: unknown }> {
  console.log(`$ curl ${method === "GET" ? "" : "-X POST "}'${url}'`);
  const response = await fetch(url, { method });
  const body: unknown = await response.json();
  console.log(`${response.status} ${formatJson(body)}\n`);
  return { status: response.status, body };
}

interface TreeNode {
  readonly name: string;
  readonly status?: string;
  readonly restart_count?: number;
  readonly children?: readonly TreeNode[];
}

function findNode(node: TreeNode, name: string): TreeNode | undefined {
  if (node.name === name) return node;
  for (const child of node.children ?? []) {
    const found = findNode(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Polls the tree until `flaky` is running again after a restart. */
async function waitForRestart(demo: Demo): Promise<TreeNode> {
  const deadlineMs = performance.now() + restartDeadlineMs;
  for (;;) {
    const tree = (await (await fetch(`${demo.controlUrl}/topology`)).json()) as TreeNode;
    const flaky = findNode(tree, "flaky");
    if (flaky?.status === "RUNNING" && (flaky.restart_count ?? 0) > 0) return flaky;
    if (performance.now() > deadlineMs) {
      throw new Error(
        `flaky was not running again within ${restartDeadlineMs} ms: ${JSON.stringify(flaky)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(`expected ${what}`);
}

async function playRound(demo: Demo): Promise<void> {
  const asked = await show(
    "GET",
    `${demo.gatewayUrl}/ask?question=${encodeURIComponent(question)}`,
  );
  const { sources } = asked.body as { sources?: readonly unknown[] };
  expect(asked.status === 200 && (sources?.length ?? 0) > 0, "an answer with sources");
  const visited = await show("GET", `${demo.gatewayUrl}/flaky`);
  const { visits } = visited.body as { visits: number };
  expect(visited.status === 200, "a visit of flaky to be counted");
  const crashed = await show("POST", `${demo.gatewayUrl}/flaky/crash`);
  expect(crashed.status === 502, "502 from an agent that crashes while it answers");
  const flaky = await waitForRestart(demo);
  console.log(`$ curl ${demo.controlUrl}/topology    (its node "flaky")\n${formatJson(flaky)}\n`);
  const again = await show("GET", `${demo.gatewayUrl}/flaky`);
  expect(
    (again.body as { visits: number }).visits === visits + 1,
    "the checkpointed count to survive the crash",
  );
  console.log(
    "flaky crashed, its supervisor restarted it, and its count went on from the checkpoint.\n",
  );
}

async function main(): Promise<number> {
  const isOnce = process.argv.includes("--once");
  const demo = await prepare();
  const runtime = spawn(process.execPath, [agentrtBinary, "run", "--topology", demo.topologyPath], {
    stdio: "inherit",
  });
  const exited = once(runtime, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  // A terminal's Ctrl+C reaches the runtime by itself; this process only waits for its end.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => runtime.kill("SIGTERM"));
  try {
    await waitUntilUp(demo, runtime);
    if (isOnce) await playRound(demo);
    else printInvitation(demo);
  } catch (error) {
    console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
    runtime.kill("SIGTERM");
    await exited;
    return 1;
  }
  if (isOnce) runtime.kill("SIGTERM");
  const [code, signal] = await exited;
  if (isOnce) console.log(`The runtime stopped with exit code ${code ?? signal}.`);
  return code ?? 1;
}

process.exitCode = await main();
