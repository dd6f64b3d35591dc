/** `agentrt traces` over a running topology, and over the folder that it leaves. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  openTerminal,
  runProgram,
  skipUnless,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";
export class Front extends Agent {
  override async handle({ payload }) { return await this.call("desk", payload); }
}
export class Desk extends Agent {
  override handle({ payload }) {
    if (payload.say === "crash") throw new RangeError("the desk \\u001b[31mbroke");
    return { said: payload.say };
  }
}
`;

const topology = (port: number): string => `
plugins: { exporters: [{ type: sqlite, config: { db_dir: spans } }] }
supervision:
  name: shop
  max_restarts: 100
  backoff_base: 0.01
  children:
    - agent: { name: front, type: agents.Front }
    - agent: { name: desk, type: agents.Desk }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

interface Listed {
  readonly recorded: boolean;
  readonly next: string | null;
  readonly traces: readonly {
    readonly trace_id: string;
    readonly name: string;
    readonly status: string;
    readonly agents: readonly string[];
    readonly span_count: number;
  }[];
}

test("traces are listed, filtered, paged and drawn, of what runs and of what it has left", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  const agentrt = async (...words: string[]) =>
    await runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
  const list = async (...words: string[]): Promise<Listed> => {
    const { code, stdout, stderr } = await agentrt("traces", "list", "--json", ...words);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Listed;
  };
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  for (const say of ["one", "two", "crash"]) {
    const response = await fetch(`http://127.0.0.1:${port}/agents/front`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ say }),
    });
    assert.equal(response.status, say === "crash" ? 502 : 200, await response.text());
  }
  let failed: Listed["traces"] = [];
  while (failed.length === 0)
    failed = (await list("--agent", "desk", "--status", "error")).traces.filter(
      ({ agents: names }) => names.includes("front"),
    );
  const [crash] = failed;
  assert.ok(crash !== undefined);
  assert.deepEqual(
    [failed.length, crash.name, crash.agents],
    [1, "POST /agents/{name}", ["api", "desk", "front"]],
  );

  // Pages of one make the whole. Starts of agents, which are traces too, take no time.
  const wanted = ["--agent", "front", "--min-duration", "0.000001"];
  const all = await list(...wanted);
  assert.deepEqual([all.traces.length, all.next], [3, null]);
  const paged: string[] = [];
  for (let before: string[] = []; ;) {
    const page = await list(...wanted, "--limit", "1", ...before);
    paged.push(...page.traces.map(({ trace_id: id }) => id));
    if (page.next === null) break;
    before = ["--before", page.next];
  }
  assert.deepEqual(
    paged,
    all.traces.map(({ trace_id: id }) => id),
  );
  const first = await agentrt("traces", "list", ...wanted, "--limit", "1");
  assert.match(
    first.stdout,
    /^START +TRACE +TOOK +SPANS +STATUS +NAME +AGENTS\n.*Z {2}[0-9a-f]{32} .* error +POST \/agents\/\{name\} {2}api, desk, front\n$/,
  );
  assert.match(first.stderr, /older ones: the same command with --before \d+(\.\d+)?-[0-9a-f]{32}/);
  assert.equal((await list("--min-duration", "3600")).traces.length, 0);

  const shown = await agentrt("traces", "show", crash.trace_id);
  assert.equal(shown.code, 0, shown.stderr);
  const [title, took, , ...rows] = shown.stdout.split("\n");
  assert.equal(title, `trace ${crash.trace_id}`);
  assert.match(
    took ?? "",
    new RegExp(`Z, took [\\d.]+ m?s, ${crash.span_count} spans, \\d failed$`),
  );
  assert.match(rows[0] ?? "", /^ (✗ )?POST \/agents\/\{name\} +█+ +[\d.]+ ms$/);
  assert.match(shown.stdout, /\n +✗ agent\.handle desk +█/);
  assert.match(shown.stdout, /\n✗ agentrt\.agent\.handle of desk: .*the desk \\u001b\[31mbroke/);

  for (const [words, code, reason] of [
    [["list", "--limit", "0"], 2, /--limit must be a whole number from 1 to 1000/],
    [["list", "--min-duration", "x"], 2, /--min-duration must be a number of seconds/],
    [["list", "--status", "bad"], 2, /Allowed choices are ok, error/],
    [["list", "--before", "x"], 1, /before must be the next of an earlier answer/],
    [["show", "1".repeat(32)], 1, /no span of that trace is known/],
    [["show", "1".repeat(32), "--dir", "spans"], 1, /Cannot read spans in "spans": no span/],
    [["list", "--dir", "nothing"], 1, /Cannot read spans in "nothing": .*ENOENT/],
    [["list", "--dir", "agents.ts"], 1, /"agents\.ts": it is not a directory/],
  ] as const) {
    const refused = await agentrt("traces", ...words);
    assert.deepEqual([refused.code, refused.stdout], [code, ""], refused.stderr);
    assert.match(refused.stderr, reason);
  }

  // What it leaves says the same.
  program.kill("SIGTERM");
  assert.equal((await program.exited()).code, 0);
  const away = await agentrt("traces", "list");
  assert.equal(away.code, 1);
  assert.match(away.stderr, /--dir \.\/telemetry[^]*Cannot ask http/);
  assert.deepEqual((await list(...wanted, "--dir", "spans")).traces, all.traces);
  const again = await agentrt("traces", "show", crash.trace_id, "--dir", "spans");
  assert.equal(again.stdout, shown.stdout);
  writeFileSync(join(folder.path, "spans", "agentrt_spans_2020-01-03.db"), "no database");
  const partly = await agentrt("traces", "list", "--agent", "front", "--dir", "spans");
  assert.equal(partly.code, 1);
  assert.match(partly.stdout, /POST \/agents/);
  assert.match(partly.stderr, /some may be missing: agentrt_spans_2020-01-03\.db cannot be read/);
});

test(
  "a terminal gets colours and its width, unless NO_COLOR says otherwise",
  { skip: skipUnless("tmux") },
  async () => {
    const port = await freePort();
    using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
    await using program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    await program.waitFor(/started/);
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const response = await fetch(`http://127.0.0.1:${port}/agents/front`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ say: "one" }),
    });
    assert.equal(response.status, 200, await response.text());
    program.kill("SIGTERM");
    await program.exited();
    const show = `${process.execPath} ${binary} traces show ${traceId} --dir ${folder.path}/spans; echo done`;
    using terminal = openTerminal(`cd ${folder.path}; clear; ${show}`, { columns: 120, rows: 40 });
    await terminal.waitFor(/^done/m, 60_000);
    const coloured = terminal.tmux("capture-pane", "-p", "-e", "-t", "main");
    assert.match(coloured, /\u001B\[36m *█+/);
    assert.match(terminal.screen(), /^.{110,120}ms$/m);
    terminal.type(`clear; NO_COLOR=1 ${show.replace("done", "over")}`, "Enter");
    await terminal.waitFor(/^over/m, 60_000);
    const plain = terminal.tmux("capture-pane", "-p", "-e", "-t", "main");
    assert.match(plain, /█/);
    assert.doesNotMatch(plain, /\u001B\[3[16]m/);
  },
);
