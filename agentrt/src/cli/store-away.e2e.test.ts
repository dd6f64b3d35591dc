/** `agentrt run` while its state store is away: everything else goes on, and nothing is given up. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  skipUnless,
  startPostgres,
  startProgram,
} from "testkit";
import { SqliteStateStore } from "../state/index.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

export class Keeper extends Agent {
  override async handle() {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { count: this.state["count"] };
  }
}

export class Echo extends Agent {
  override async handle() {
    return { echo: true };
  }
}
`;
const keepers = Array.from({ length: 8 }, (_, index) => `keeper-${index}`);

function topology(state: string, port: number): string {
  const routes = ["echo", ...keepers].map(
    (name) => `{ method: GET, path: /${name}, agent: ${name} }`,
  );
  return `plugins:
  state: ${state}
supervision:
  name: root
  backoff_base: 0.05
  children:
${keepers.map((name) => `    - agent: { name: ${name}, type: agents.Keeper }\n`).join("")}
    - agent: { name: echo, type: agents.Echo }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control, routes: [${routes.join(", ")}] }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly [key: string]: unknown };
}

async function ask(port: number, path: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

/** Asks again until the answer is as wanted; the test's own time limit ends what never is. */
async function until(
  port: number,
  path: string,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask(port, path);
    if (isWanted(answer)) return answer;
  }
}

test(
  "while another process holds the state file the rest is served, health says so, and no agent is given up",
  { timeout: 120_000 },
  async () => {
    const port = await freePort();
    const state = "{ type: sqlite, config: { db_path: state.db, timeout: 0.1 } }";
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(state, port),
    });
    await using program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    await program.waitFor(/started/);
    const first = await Promise.all(keepers.map((name) => ask(port, `/${name}`)));
    assert.deepEqual(
      first.map(({ status }) => status),
      keepers.map(() => 200),
    );
    const foreign = new DatabaseSync(join(folder.path, "state.db"));
    foreign.exec("BEGIN IMMEDIATE");
    // More crashes than any budget covers.
    for (let round = 0; round < 4; round += 1) {
      const refused = keepers.map((name) => ask(port, `/${name}`));
      const echoed = await ask(port, "/echo");
      assert.deepEqual(echoed, { status: 200, body: { echo: true } });
      const { body } = await until(port, "/health", (answer) => answer.body["status"] !== "ok");
      assert.deepEqual(body, {
        status: "degraded",
        failed: [],
        state: { store: "state.db", reason: "another program holds it" },
      });
      for (const { status, body: refusal } of await Promise.all(refused)) {
        assert.equal(status, 502, JSON.stringify(refusal));
      }
    }
    foreign.exec("ROLLBACK");
    foreign.close();
    const after = await Promise.all(keepers.map((name) => ask(port, `/${name}`)));
    assert.deepEqual(
      after.map(({ body }) => body),
      keepers.map(() => ({ count: 2 })),
    );
    assert.deepEqual((await ask(port, "/health")).body, { status: "ok" });
    program.kill("SIGTERM");
    const exit = await program.exited();
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(exit.stderr, /restarted without a charge: the state store is away/);
  },
);

const skip = skipUnless("postgres");

test(
  "while the postgres server is away agents are started again until it is back, and none is given up",
  { skip, timeout: 180_000 },
  async () => {
    await using server = await startPostgres();
    const port = await freePort();
    const state = `{ type: postgres, config: { url: "${server.url}", timeout: 0.4 } }`;
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(state, port),
    });
    await using program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    await program.waitFor(/started/);
    const first = await Promise.all(keepers.map((name) => ask(port, `/${name}`)));
    assert.deepEqual(
      first.map(({ body }) => body),
      keepers.map(() => ({ count: 1 })),
    );
    await server.stop();
    await until(port, "/health", (answer) => answer.body["status"] !== "ok");
    const refused = await Promise.all(keepers.map((name) => ask(port, `/${name}`)));
    assert.deepEqual(
      refused.map(({ status }) => status),
      keepers.map(() => 502),
    );
    // Each of them was started in vain more often than a budget covers.
    const isTriedOften = (answer: Answer): boolean => {
      const counts = Object.values(
        answer.body["agents"] as { [name: string]: { restarts: number } },
      );
      return counts.filter(({ restarts }) => restarts > 3).length >= keepers.length;
    };
    await until(port, "/snapshot", isTriedOften);
    assert.deepEqual((await ask(port, "/echo")).body, { echo: true });
    assert.deepEqual((await ask(port, "/health")).body, {
      status: "degraded",
      failed: [],
      state: { store: "postgres", reason: "the database is away" },
    });
    await server.start();
    await until(port, "/health", (answer) => answer.body["status"] === "ok");
    const after = await Promise.all(keepers.map((name) => ask(port, `/${name}`)));
    assert.deepEqual(
      after.map(({ body }) => body),
      keepers.map(() => ({ count: 2 })),
    );
    program.kill("SIGTERM");
    const exit = await program.exited();
    assert.equal(exit.code, 0, exit.stderr);
  },
);

test(
  "a postgres server that wants a password and gets none ends every command in one line; a second run is refused",
  { skip, timeout: 180_000 },
  async () => {
    await using server = await startPostgres({ password: "right-4712" });
    const { url } = server;
    const port = await freePort();
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml": topology(`{ type: postgres, config: { url: "${url}" } }`, port),
    });
    await new SqliteStateStore({ path: join(folder.path, "source.db") }).close();
    const agentrt = async (...words: readonly string[]): Promise<ProgramExit> =>
      await runProgram(process.execPath, [binary, ...words], {
        workingDirectory: folder.path,
        environment: { PGPASSWORD: "" },
        timeoutMs: 60_000,
      });
    for (const words of [
      ["state", "list", "--db", url],
      ["state", "clear", "--db", url, "--force"],
      ["state", "migrate", "source.db", url, "--execute"],
      ["run"],
    ]) {
      const { code, stdout, stderr } = await agentrt(...words);
      assert.deepEqual([code, stdout], [1, ""], words.join(" "));
      assert.match(
        stderr,
        /^agentrt: Cannot open state database "[^"]+": no password: set PGPASSWORD[^\n]*\n$/,
      );
    }
    const options = { workingDirectory: folder.path, environment: { PGPASSWORD: "right-4712" } };
    await using first = startProgram(process.execPath, [binary, "run"], options);
    await first.waitFor(/started/);
    assert.deepEqual((await ask(port, "/keeper-0")).body, { count: 1 });
    for (const words of [
      ["run"],
      ["state", "clear", "--db", url, "--force"],
      ["state", "migrate", "source.db", url, "--execute"],
    ]) {
      const { code, stdout, stderr } = await runProgram(
        process.execPath,
        [binary, ...words],
        options,
      );
      assert.deepEqual([code, stdout], [1, ""], words.join(" "));
      assert.match(
        stderr,
        /^agentrt: Cannot write the states in "[^"]+": "agentrt process \d+ on [^"]+" [^\n]+ \[AGENTRT_STATE_LOCKED\]\n$/,
      );
    }
    const listed = await runProgram(
      process.execPath,
      [binary, "state", "list", "--db", url],
      options,
    );
    assert.match(listed.stdout, /^keeper-0 +\S+Z +\d+ B +\{/m);
    assert.deepEqual((await ask(port, "/keeper-0")).body, { count: 2 });
  },
);
