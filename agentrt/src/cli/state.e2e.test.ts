/** `agentrt state` at a terminal, and with PostgreSQL. What else it says is tested in `state.test.ts`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  openTerminal,
  type ProgramExit,
  runProgram,
  skipUnless,
  startNats,
  startPostgres,
  type TemporaryFolder,
} from "testkit";
import { statesIn, usual, withStates } from "./test-support/saved-states.ts";

const binary = agentrtLauncher();

async function agentrt(folder: TemporaryFolder, ...words: readonly string[]): Promise<ProgramExit> {
  const options = { workingDirectory: folder.path, environment: { NODE_OPTIONS: "" } };
  const exit = await runProgram(process.execPath, [binary, ...words], options);
  assert.ok(!/\n\s+at /.test(exit.stdout + exit.stderr), exit.stderr);
  return exit;
}

test(
  "state clear asks at a terminal, and only yes goes ahead",
  { skip: skipUnless("tmux") },
  async () => {
    using folder = await withStates(usual);
    const path = join(folder.path, "agency_state.db");
    const command = `cd ${folder.path}; clear; ${process.execPath} ${binary} state clear; echo "code=$?"`;
    for (const keys of [["n", "Enter"], ["Enter"], ["C-d"], ["C-c"]]) {
      using terminal = openTerminal(command, { columns: 200, rows: 24 });
      await terminal.waitFor(/Clear all 4 states in .*\? \[y\/N\]/);
      terminal.type(...keys);
      await terminal.waitFor(/nothing was cleared[\s\S]*code=1/);
      assert.equal(Object.keys(statesIn(path)).length, 4);
    }
    using terminal = openTerminal(command, { columns: 200, rows: 24 });
    await terminal.waitFor(/\[y\/N\]/);
    terminal.type("y", "Enter");
    await terminal.waitFor(/Cleared all 4 states[\s\S]*code=0/);
    assert.deepEqual(statesIn(path), {});
  },
);

test(
  "states move to PostgreSQL and back as they are",
  { skip: skipUnless("postgres") },
  async () => {
    await using server = await startPostgres();
    const url = server.url.replace("postgres@", "postgres:hidden-4711@");
    const { broken: _, ...whole } = usual;
    const texts = { ...whole, odd: '{"text":"\\u0000 \\ud800"}' };
    using folder = await withStates(texts);
    const migrate = async (...words: readonly string[]): Promise<ProgramExit> => {
      const exit = await agentrt(folder, "state", "migrate", ...words);
      assert.ok(!`${exit.stdout}${exit.stderr}`.includes("4711"));
      return exit;
    };
    const dry = await migrate("agency_state.db", url);
    assert.match(dry.stdout, /4 states would be copied/);
    const listEmpty = await agentrt(folder, "state", "list", "--db", url);
    assert.match(listEmpty.stderr, /no agent has a saved state/);
    assert.match((await migrate("agency_state.db", url, "--execute")).stdout, /4 states copied/);
    const listed = await agentrt(folder, "state", "list", "--db", url, "--json");
    const { agents } = JSON.parse(listed.stdout) as { agents: { agent: string }[] };
    assert.deepEqual(
      agents.map(({ agent }) => agent),
      ["ada", "odd", "vault", "zoe"],
    );
    assert.match((await migrate(url, "back.db", "--execute")).stdout, /4 states copied/);
    const back = statesIn(join(folder.path, "back.db"));
    for (const [agent, text] of Object.entries(texts))
      assert.deepEqual(JSON.parse(back[agent] ?? ""), JSON.parse(text));
    // One row that cannot go there keeps all others out.
    const half = await withStates({ broken: "[1,", new: "{}" }, { folder, name: "half.db" });
    const refused = await migrate("half.db", url, "--execute");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /"broken".*AGENTRT_STATE_CORRUPT/);
    assert.ok(
      !(await agentrt(half, "state", "list", "--db", url, "--json")).stdout.includes('"new"'),
    );
    const cleared = await agentrt(folder, "state", "clear", "--db", url, "--force");
    assert.match(cleared.stdout, /Cleared all 4 states in "postgresql:\/\/postgres@/);
    await server.stop();
    const down = await migrate("agency_state.db", url, "--execute");
    assert.equal(down.code, 1);
    assert.match(down.stderr, /^agentrt: Cannot reach the states in [^\n]*nothing answers/);
    await server.start();
  },
);

test(
  "states move to a bucket of NATS and back as they are; doctor looks into it, and neither makes a bucket",
  { skip: skipUnless("nats-server") },
  async () => {
    await using server = await startNats({ jetStream: true });
    const url = `${server.url}/desks`;
    const { broken: _, ...whole } = usual;
    using folder = await withStates(whole);
    folder.write({
      "topology.yaml": `plugins:
  state: { type: nats_kv, config: { servers: "${server.url}", bucket: desks } }
supervision: { name: root, children: [{ agent: { name: desk, type: agents.Desk } }] }
`,
    });
    const none = await agentrt(folder, "state", "list", "--db", url);
    assert.equal(none.code, 1);
    assert.match(
      none.stderr,
      /^agentrt: Cannot open state bucket "desks at [^\n]*not found[^\n]*\n/,
    );
    const ill = await agentrt(folder, "doctor");
    assert.match(ill.stdout, /Cannot open state bucket "desks at /);
    const moved = await agentrt(folder, "state", "migrate", "agency_state.db", url, "--execute");
    assert.match(moved.stdout, /3 states copied/);
    const listed = await agentrt(folder, "state", "list", "--db", url, "--json");
    const { agents } = JSON.parse(listed.stdout) as { agents: { agent: string; state: unknown }[] };
    assert.deepEqual(
      agents.map(({ agent, state }) => [agent, state]),
      [
        ["ada", { count: 1, list: [true] }],
        ["vault", "<encrypted>"],
        ["zoe", {}],
      ],
    );
    assert.match(
      (await agentrt(folder, "doctor")).stdout,
      /"desks at [^\n]*opens, with 3 saved states/,
    );
    const back = await agentrt(folder, "state", "migrate", url, "back.db", "--execute");
    assert.match(back.stdout, /3 states copied/);
    assert.deepEqual(statesIn(join(folder.path, "back.db")), whole);
    // A state that has no room there keeps the others out.
    const large = { ada: '{"count":2}', big: JSON.stringify({ text: "x".repeat(70_000_000) }) };
    const half = await withStates(large, { folder, name: "half.db" });
    const refused = await agentrt(half, "state", "migrate", "half.db", url, "--execute");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /"big".*AGENTRT_STATE_TOO_LARGE/);
    const after = await agentrt(folder, "state", "list", "--db", url, "--json");
    assert.match(after.stdout, /"count": 1/);
    const one = await agentrt(folder, "state", "clear", "ada", "--db", url, "--force");
    assert.match(one.stdout, /Cleared the state of "ada" in "desks at /);
    const all = await agentrt(folder, "state", "clear", "--db", url, "--force");
    assert.match(all.stdout, /Cleared all 2 states/);
    await server.stop();
    const down = await agentrt(folder, "state", "list", "--db", url);
    assert.equal(down.code, 1);
    assert.match(down.stderr, /^agentrt: Cannot reach the states in "desks at [^\n]*\n/);
  },
);
