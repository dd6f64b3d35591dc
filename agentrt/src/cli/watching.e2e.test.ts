/** The commands that look at a running topology, through the real command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }: Message) {
    if (payload.crash === true) throw new RangeError("the amount is too high");
    if (payload.wait === true) await new Promise(() => undefined);
    this.log.info("served", { n: payload.n });
    return {};
  }
}
`;
const guards = `
import type { Middleware } from "agentrt";

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;

const topology = (port: number, api: number): string => `supervision:
  name: root
  backoff: CONSTANT
  backoff_base: 0
  children:
    - agent: { name: desk, type: agents.Desk }
    - agent: { name: slow, type: agents.Desk }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${api} } }
    - name: topo
      type: topology_server
      config: { port: ${port}, dead_letter_payloads: 10, auth: { middleware: [guards.badge] } }
`;

test("an operator finds out what runs, what is stuck, what crashed and what it costs", async () => {
  const [port, api] = [await freePort(), await freePort()];
  const text = topology(port, api);
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "guards.ts": guards,
    "topology.yaml": text,
    "other.yaml": text.replace("name: desk", "name: counter"),
    "plain.yaml":
      "supervision: { name: root, children: [{ agent: { name: a, type: agents.Desk } }] }\n",
  });
  const options = { workingDirectory: folder.path };
  const agentrt = async (...words: string[]): Promise<ProgramExit> =>
    await runProgram(process.execPath, [binary, ...words], options);
  const asAda = ["-H", "X-Badge: ada"];
  await using program = startProgram(process.execPath, [binary, "run"], options);
  await program.waitFor(/started/);
  const send = async (agent: string, body: object, path = ""): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${api}/agents/${agent}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  };
  await using events = startProgram(
    process.execPath,
    [binary, "events", "--type", "agent.*", "--recent", "10", ...asAda],
    options,
  );
  await using logs = startProgram(
    process.execPath,
    [binary, "logs", "desk", "--follow", "--json", ...asAda],
    options,
  );
  // It follows as soon as a line comes through.
  let n = 0;
  while (!logs.output.includes("served")) {
    n += 1;
    assert.equal(await send("desk", { n }), 200);
  }
  const [first = ""] = logs.output.split("\n");
  assert.equal((JSON.parse(first) as { message: string }).message, "served");
  assert.equal(await send("desk", { crash: true }), 502);
  // The latest are shown, too: it may connect behind the crash.
  await events.waitFor(/agent\.crashed {2}desk.*\n/);
  assert.match(
    events.output,
    /^\d{4}-\S+Z  agent\.crashed  desk  crash_id=\S+ reason=RangeError message="the amount is too high" at=\S*agents\.ts:6:\d+/m,
  );
  const once = await agentrt("events", "--once", "--type", "agent.crashed", ...asAda);
  assert.equal(once.code, 0, once.stderr);
  assert.match(once.stdout, /^[^\n]*agent\.crashed  desk[^\n]*\n$/);
  const nothing = await agentrt("events", "--once", "--type", "nothing", ...asAda);
  assert.deepEqual([nothing.code, nothing.stdout], [0, ""]);
  await send("slow", { wait: true }, "/cast");
  await send("slow", { n: 1 }, "/cast");

  const ps = await agentrt("ps", ...asAda);
  assert.equal(ps.code, 0, ps.stderr);
  const [titles, desk, slow] = ps.stdout.split("\n");
  assert.equal(titles, titles?.trimEnd());
  assert.match(titles ?? "", /^AGENT +CLASS +STATUS +RESTARTS +MAILBOX +OLDEST +SINCE +AT HAND$/);
  assert.match(desk ?? "", /^desk +Desk +RUNNING +[1-9]\d* +0 +[\d.]+ s$/);
  assert.match(
    slow ?? "",
    /^slow +Desk +RUNNING +0 +1 +[\d.]+ s +[\d.]+ s +http\.request [\d.]+ s$/,
  );
  // No terminal: no colours.
  assert.ok(!ps.stdout.includes("\u001B"));

  const top = await agentrt("top", "--once", ...asAda);
  assert.match(top.stdout, /^pid \d+ {2}up .* {2}event loop late by [\d.]+ ms \(p99\)/);
  assert.match(
    top.stdout,
    /\nSLOWEST +AT HAND +MEAN +MEAN OF LIFE +HANDLED\nslow +http\.request [\d.]+ s /,
  );
  assert.match(top.stdout, /\nFULLEST +MAILBOX +OLDEST +STATUS\nslow +1 /);
  assert.match(top.stdout, /\nCOSTLIEST: nothing\n$/);

  await agentrt("suspend", "desk", "--reason", "wrong refunds", ...asAda);
  const described = await agentrt("describe", "desk", ...asAda);
  assert.equal(described.code, 0, described.stderr);
  assert.match(described.stdout, /^desk {2}agent of class Desk\n {2}status +SUSPENDED, up /);
  assert.match(described.stdout, /\n {2}suspended +by ada [\d.]+ s ago: wrong refunds \(other\)\n/);
  assert.match(described.stdout, /\n {2}at hand +nothing\n {2}mailbox +nothing waits\n/);
  assert.match(
    described.stdout,
    /\n {2}last crash +[\d.]+ s ago: RangeError: the amount is too high at \S+agents\.ts:6:\d+\n {4}at Desk\.handle/,
  );
  assert.match(described.stdout, / suspended {2}reason="wrong refunds" .*initiated_by=ada/);
  const json = JSON.parse((await agentrt("describe", "slow", "--json", ...asAda)).stdout) as {
    readonly at_hand: readonly { readonly type: string }[];
    readonly mailbox: { readonly depth: number };
    readonly crash: unknown;
  };
  assert.deepEqual(
    [json.at_hand[0]?.type, json.mailbox.depth, json.crash],
    ["http.request", 1, null],
  );

  const gateways = [
    await agentrt("describe", "api", ...asAda),
    await agentrt("describe", "topo_gateway", ...asAda),
  ];
  for (const [index, where] of [api, port].entries())
    assert.match(
      gateways[index]?.stdout ?? "",
      new RegExp(`\\n {2}listens {5}http on 127\\.0\\.0\\.1:${where}\\n`),
    );

  const cost = await agentrt("cost", ...asAda);
  assert.deepEqual([cost.code, cost.stdout], [0, "no agent has asked a model\n"]);
  const letters = JSON.parse((await agentrt("dead-letters", "--json", ...asAda)).stdout) as {
    readonly dead_letters: readonly { readonly id: string; readonly replayable?: boolean }[];
  };
  const [letter] = letters.dead_letters;
  assert.equal(letter?.replayable, true);
  const replay = ["dead-letters", "--replay", letter?.id ?? "", ...asAda];
  assert.match((await agentrt(...replay)).stdout, /^sent again to "desk" as [\da-f-]{36}\n$/);
  const names = await agentrt("completion", "agents");
  // Nobody says who asks, so the names are those of the file.
  assert.deepEqual(names.stdout.split("\n"), ["desk", "slow", "api", "topo", ""]);

  const shown = await agentrt("topology", "show", "other.yaml", ...asAda);
  assert.match(shown.stdout, /\(live\)/);
  assert.match(shown.stderr, /note: not in the running tree: counter\n.*\n.*runs another topology/);

  const rows: readonly (readonly [words: string[], code: number, stderr: RegExp])[] = [
    [
      ["describe", "dsk", ...asAda],
      1,
      /Cannot ask the control plane for \/agents\/dsk: agent 'dsk' not found, HTTP status 404; did you mean "desk"\?/,
    ],
    [["logs", "slw", ...asAda], 1, /did you mean "slow"\?/],
    [replay, 1, /was replayed already, as/],
    [["ps"], 1, /who is it\?, HTTP status 401: send credentials/],
    [["events"], 1, /HTTP status 401/],
    [["ps", "-t", "plain.yaml"], 1, /declares no topology_server/],
    [["top", "--interval", "0", ...asAda], 2, /--interval/],
  ];
  for (const [words, code, stderr] of rows) {
    const exit = await agentrt(...words);
    assert.deepEqual([exit.code, exit.stdout], [code, ""], words.join(" "));
    assert.match(exit.stderr, stderr);
  }
  // The watchers see the end, and give up when nobody comes back.
  program.kill("SIGKILL");
  await events.waitFor(/note: the connection is lost and tried again/);
});
