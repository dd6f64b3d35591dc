/** `agentrt topology apply` of files that touch agents on workers, over each transport between processes. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";
import { transportCases } from "./test-support/transports.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

let lives = 0;
const holds = new Map();

export class Desk extends Agent {
  state = { count: 0 };
  life = (lives += 1);
  async onStart() {
    if (this.config.fails === true) throw new Error("the till is locked");
  }
  async handle({ payload }) {
    if (payload.hold === true) {
      const open = Promise.withResolvers();
      holds.set(this.name, open);
      console.log(this.name + " holds;");
      await open.promise;
    }
    if (payload.open !== undefined) holds.get(payload.open).resolve();
    this.state.count += 1;
    const asked = payload.ask === undefined ? null : await this.call(payload.ask, {});
    return { pid: process.pid, life: this.life, count: this.state.count, by: this.config.by ?? null, asked };
  }
}
`;

interface Place {
  readonly section: string;
  readonly port: number;
}

const topology = ({ section, port }: Place, children: string): string => `transport: ${section}
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
${children.replaceAll(/^/gm, "    ")}
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

const front = (by: string): string =>
  `- agent: { name: front, type: agents.Desk, config: { by: ${by} } }`;
const onWorker = (name: string, config = "{}"): string =>
  `- agent: { name: ${name}, type: agents.Desk, process: back, shutdown_timeout: 60, config: ${config} }`;

interface Served {
  readonly status: number;
  readonly pid: number;
  readonly life: number;
  readonly count: number;
  readonly by: string | null;
  readonly asked: Served | null;
}

async function call(port: number, agent: string, payload: object = {}): Promise<Served> {
  const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
    method: "POST",
    body: JSON.stringify(payload),
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, ...((await response.json()) as object) } as Served;
}

async function applyStatus(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/apply`);
  return ((await response.json()) as { readonly status: string }).status;
}

/** Asks until it is served. */
async function served(
  port: number,
  agent: string,
  isWanted: (answer: Served) => boolean = () => true,
): Promise<Served> {
  for (;;) {
    const answer = await call(port, agent);
    if (answer.status === 200 && isWanted(answer)) return answer;
    await new Promise(setImmediate);
  }
}

for (const { name, skip, open } of transportCases)
  test(
    `${name}: apply reaches workers: unchanged agents go on, changed ones begin again, a failed start undoes all`,
    {
      skip,
    },
    async () => {
      await using meeting = await open();
      const place = { section: meeting.section, port: await freePort() };
      const { port } = place;
      const old = [
        front("old"),
        onWorker("desk", "{ by: old }"),
        onWorker("kept"),
        onWorker("gone"),
      ];
      const next = [
        front("new"),
        onWorker("kept"),
        onWorker("desk", "{ by: new }"),
        onWorker("fresh"),
      ];
      const files = {
        "topology.yaml": topology(place, old.join("\n")),
        "front.yaml": topology(place, [front("newer"), ...old.slice(1)].join("\n")),
        "next.yaml": topology(place, next.join("\n")),
        "fails.yaml": topology(
          place,
          [
            front("bad"),
            onWorker("kept"),
            onWorker("desk", "{ by: bad }"),
            onWorker("late", "{ fails: true }"),
          ].join("\n"),
        ),
        "moved.yaml": topology(
          place,
          [
            front("new"),
            onWorker("kept"),
            "- agent: { name: desk, type: agents.Desk, config: { by: here } }",
          ].join("\n"),
        ),
        "other.yaml": topology(place, onWorker("stranger")),
      };
      using folder = createTemporaryFolder({
        ...files,
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
          timeoutMs: 1_200_000,
        });
      const agentrt = async (...words: string[]): Promise<ProgramExit> =>
        await runProgram(process.execPath, [binary, "topology", ...words], {
          workingDirectory: folder.path,
        });
      const running = ["--running", "topology.yaml"];
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using worker = start("--process", "back");
      const first = { desk: await served(port, "desk"), kept: await served(port, "kept") };
      assert.deepEqual([first.desk.by, first.kept.count], ["old", 1]);
      assert.equal((await call(port, "gone")).status, 200);

      // What touches the supervisor's nodes leaves the worker as it is.
      const own = await agentrt("apply", "front.yaml", ...running, "--yes");
      assert.equal(own.code, 0, own.stderr);
      assert.equal((await call(port, "front")).by, "newer");
      const same = await call(port, "desk");
      assert.deepEqual([same.life, same.count, same.by], [first.desk.life, 2, "old"]);

      // What touches its agents reaches it, while one of them works on a call and another call waits.
      const held = call(port, "desk", { hold: true });
      await worker.waitFor(/desk holds;/);
      const waiting = call(port, "desk");
      const applying = agentrt("apply", "next.yaml", ...running, "--yes");
      while ((await applyStatus(port)) !== "applying") await new Promise(setImmediate);
      assert.equal((await call(port, "kept", { open: "desk" })).count, 2);
      const applied = await applying;
      assert.equal(applied.code, 0, applied.stderr);
      assert.match(applied.stdout, /restarted\s+desk/);
      const [before, after] = [await held, await waiting];
      assert.deepEqual([before.by, before.count, before.life], ["old", 3, first.desk.life]);
      assert.deepEqual([after.status, after.count, after.pid], [200, 4, first.desk.pid]);
      const begun = await call(port, "desk");
      assert.deepEqual([begun.by, begun.count, begun.pid], ["new", 5, first.desk.pid]);
      assert.notEqual(begun.life, first.desk.life);
      const kept = await call(port, "kept", { ask: "fresh" });
      assert.deepEqual([kept.life, kept.count, kept.asked?.count], [first.kept.life, 3, 1]);
      assert.equal((await call(port, "gone")).status, 404);
      assert.equal((await call(port, "front", { ask: "fresh" })).asked?.count, 2);

      // A start that fails there undoes all, here and there.
      const failed = await agentrt("apply", "fails.yaml", ...running, "--yes");
      assert.equal(failed.code, 1);
      assert.match(
        failed.stderr,
        /"late" did not start, and all is as it was before.*the till is locked/,
      );
      assert.equal((await call(port, "front")).by, "new");
      assert.equal((await call(port, "desk")).by, "new");
      assert.equal((await call(port, "fresh")).count, 3);
      const still = await call(port, "kept");
      assert.deepEqual([still.life, still.count], [first.kept.life, 4]);
      assert.equal((await call(port, "late")).status, 404);

      // Another worker with the file of the beginning gets the tree; one with a file that never ran is refused.
      worker.kill("SIGKILL");
      await worker.exited();
      const stranger = await runProgram(
        process.execPath,
        [binary, "run", "other.yaml", "--process", "back"],
        { workingDirectory: folder.path },
      );
      assert.equal(stranger.code, 1, stranger.stderr);
      assert.match(stranger.stderr, /it was started with another topology than the supervisor/);
      await using second = start("--process", "back");
      const back = await served(port, "desk", ({ by }) => by === "new");
      assert.notEqual(back.pid, first.desk.pid);
      assert.equal((await served(port, "fresh")).count, 1);
      second.kill("SIGTERM");
      assert.equal((await second.exited()).code, 0);

      // While the worker is away, its part waits for it.
      const plan = await agentrt("plan", "moved.yaml", ...running);
      assert.match(
        plan.stdout,
        /no worker of "back" is there: its part is put in place when one comes/,
      );
      const away = await agentrt("apply", "moved.yaml", ...running, "--yes");
      assert.equal(away.code, 0, away.stderr);
      const here = await call(port, "desk");
      assert.deepEqual([here.by, here.pid], ["here", (await call(port, "front")).pid]);
      assert.equal((await call(port, "fresh")).status, 404);
      writeFileSync(`${folder.path}/topology.yaml`, files["next.yaml"]);
      await using third = start("--process", "back");
      await served(port, "kept");
      assert.deepEqual((await call(port, "kept", { ask: "desk" })).asked?.by, "here");

      // The next supervisor has an earlier file: the worker goes back to that.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      await using again = start();
      await again.waitFor(/started; Ctrl\+C stops/);
      const gone = await served(port, "desk");
      assert.deepEqual([gone.by, gone.pid], ["new", (await call(port, "kept")).pid]);
      for (const program of [third, again]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );
