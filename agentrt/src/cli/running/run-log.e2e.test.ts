/** How `agentrt run` logs: format, level, traces, and no secrets. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Talker extends Agent {
  override async handle(message: Message) {
    this.log.debug("details");
    this.log.info("asked", { order: message.payload["order"], apiKey: "hidden-4711", url: "https://u:hidden-4711@host" });
    if (message.payload["order"] === "crash") throw new Error("the key is " + process.env["SHOP_TOKEN"]);
    return {};
  }
}
`;

const topology = (port: number): string => `supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: talker, type: agents.Talker }
    - { name: gateway, type: http_gateway, config: { port: ${port} } }
`;

async function logOf(
  words: readonly string[],
  environment: { readonly [name: string]: string } = {},
  last = /child restarted/,
): Promise<string> {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = startProgram(process.execPath, [binary, "run", ...words], {
    workingDirectory: folder.path,
    environment: { SHOP_TOKEN: "env-hidden-4711", ...environment },
  });
  await program.waitFor(/started/);
  for (const order of ["\u001b[2Jx\nforged", "crash"]) {
    await fetch(`http://127.0.0.1:${port}/agents/talker`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      },
      body: JSON.stringify({ order }),
    });
  }
  await program.waitFor(last);
  program.kill("SIGTERM");
  const { stderr } = await program.exited();
  assert.ok(!stderr.includes("hidden-4711"), stderr);
  assert.ok(!stderr.includes("\u001b"), stderr);
  return stderr;
}

test("run logs text by default: lines of an agent name the trace of the message at hand", async () => {
  const stderr = await logOf([]);
  assert.match(
    stderr,
    /info {2}asked agent=talker .*apiKey=\*\*\*.* traceId=0af7651916cd43dd8448eb211c80319c\n/,
  );
  assert.match(
    stderr,
    /error agent crashed .*the key is \*\*\*.* traceId=0af7651916cd43dd8448eb211c80319c\n/,
  );
  assert.ok(!stderr.includes("details"));
  // Standard output says it already.
  assert.ok(!stderr.includes("listening"), stderr);
});

test("run --log-format json --log-level debug logs one JSON object a line", async () => {
  const stderr = await logOf(["--log-format", "json", "--log-level", "debug"]);
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  const entries = lines.map((line) => JSON.parse(line) as { [name: string]: unknown });
  const asked = entries.find(({ message }) => message === "asked");
  assert.match(String(asked?.["time"]), /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(
    [asked?.["level"], asked?.["agent"], asked?.["order"], asked?.["traceId"]],
    ["info", "talker", "\u001b[2Jx\nforged", "0af7651916cd43dd8448eb211c80319c"],
  );
  assert.match(String(asked?.["spanId"]), /^[0-9a-f]{16}$/);
  assert.ok(entries.some(({ message, level }) => message === "details" && level === "debug"));
  const listening = entries.filter(({ message }) => message === "listening");
  assert.deepEqual(
    listening.map(({ level, agent }) => [level, agent]),
    [["info", "gateway"]],
  );
  const crashed = entries.find(({ message }) => message === "agent crashed");
  const error = crashed?.["error"] as { message: string } | undefined;
  assert.equal(error?.message, "the key is ***");
});

test("the environment says how to log where no flag does", async () => {
  const environment = { AGENTRT_LOG_FORMAT: "json", AGENTRT_LOG_LEVEL: "error" };
  const stderr = await logOf([], environment, /"message":"agent crashed"/);
  assert.ok(!stderr.includes('"level":"info"') && !stderr.includes('"level":"warn"'));
});

test("a log format or level that does not exist is a wrong usage, wherever it comes from", async () => {
  using folder = createTemporaryFolder({ "topology.yaml": topology(1) });
  const run = (words: readonly string[], environment = {}) =>
    runProgram(process.execPath, [binary, "run", ...words], {
      workingDirectory: folder.path,
      environment,
    });
  for (const [exit, reason] of [
    [await run(["--log-format", "xml"]), /--log-format is "xml": one of text, json is wanted/],
    [
      await run([], { AGENTRT_LOG_LEVEL: "loud" }),
      /AGENTRT_LOG_LEVEL is "loud": one of debug, info, warn, error is wanted/,
    ],
  ] as const) {
    assert.equal(exit.code, 2);
    assert.match(exit.stderr, reason);
  }
});
