/** Children that are spawned where there are workers: by agents of workers, and into their processes, through `agentrt run`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";
import { transportCases } from "./test-support/transports.ts";

type JsonObject = { readonly [name: string]: unknown };

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

export class Ticket extends Agent {
  override async handle({ payload }) {
    if (payload.say === "crash") throw new Error("the ticket broke");
    if (payload.say === "bye") {
      await this.stopChild(this.name);
      return {};
    }
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { pid: process.pid, count: this.state["count"], color: this.config["color"] ?? null };
  }
}

export class Broken extends Agent {
  override async onStart() {
    throw new Error("no such printer");
  }
  override async handle() {
    return {};
  }
}

class Hidden extends Ticket {}

export class Boss extends Agent {
  override async handle({ payload }) {
    const { op, name, into, type, say } = payload;
    const found = type === "Hidden" ? Hidden : type ?? Ticket;
    try {
      if (op === "despawn") return { ...(await this.despawn(name)) };
      if (op === "ask") return await this.call(name, { say });
      if (op === "pid") return { pid: process.pid };
      return { ...(await this.spawnInto(into, found, name, { color: "red" })) };
    } catch (error) {
      return { refused: error.code };
    }
  }
  override onChildTerminated(name, reason) {
    console.log("gone: " + name + " " + reason + ";");
  }
}
`;

const topology = (transport: string, port: number): string => `transport: ${transport}
plugins:
  state: { type: sqlite }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - { name: near, type: dynamic_supervisor, config: { max_children: 2 } }
    - { name: far, type: dynamic_supervisor, process: back, config: { max_restarts: 100, spawner_allowlist: [front, desk] } }
    - agent: { name: front, type: agents.Boss }
    - agent: { name: desk, type: agents.Boss, process: back }
    - agent: { name: other, type: agents.Boss, process: side }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

for (const { name: transport, skip, open } of transportCases)
  test(
    `${transport}: children are spawned from workers and into them, found by name, restarted, ended`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.section, port),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
        });
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using back = start("--process", "back");
      await using side = start("--process", "side");
      for (const worker of [back, side])
        await worker.waitFor(/the supervisor has taken this worker/);

      const once = async (agent: string, body: object): Promise<[number, JsonObject]> => {
        const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        return [response.status, (await response.json()) as JsonObject];
      };
      const ask = async (agent: string, body: object): Promise<JsonObject> => {
        const [status, answer] = await once(agent, body);
        assert.equal(status, 200, JSON.stringify(answer));
        return answer;
      };
      const [{ pid: home }, { pid: backPid }] = [
        await ask("front", { op: "pid" }),
        await ask("desk", { op: "pid" }),
      ];
      const spawned = (name: string, into: string) => ({
        name,
        supervisor: into,
        isReady: true,
        isExisting: false,
      });

      // From a worker into the supervisor's process: by class, and by its text.
      assert.deepEqual(await ask("desk", { into: "near", name: "n1" }), spawned("n1", "near"));
      assert.deepEqual(
        await ask("desk", { into: "near", name: "n2", type: "agents.Ticket" }),
        spawned("n2", "near"),
      );
      for (const [body, refused] of [
        [{ into: "near", name: "n3" }, "AGENTRT_SPAWN_CHILDREN_EXHAUSTED"],
        [{ into: "near", name: "n1" }, "AGENTRT_SPAWN_NAME_TAKEN"],
        [{ into: "far", name: "desk" }, "AGENTRT_SPAWN_NAME_REGISTERED"],
        [{ into: "front", name: "x" }, "AGENTRT_SPAWN_NOT_DYNAMIC"],
        [{ into: "far", name: "x", type: "Hidden" }, "AGENTRT_SPAWN_CLASS_NOT_LOADED"],
        [{ into: "far", name: "x", type: "agents.Broken" }, "AGENTRT_SPAWN_START_FAILED"],
      ] as const)
        for (const boss of ["desk", "front"].slice(0, body.name === "x" ? 1 : 2))
          assert.deepEqual(await ask(boss, body), { refused }, boss);
      assert.deepEqual(await ask("other", { into: "far", name: "x" }), {
        refused: "AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED",
      });
      for (const [count, boss] of ["desk", "front", "other"].entries())
        assert.deepEqual(await ask(boss, { op: "ask", name: "n1" }), {
          pid: home,
          count: count + 1,
          color: "red",
        });

      // Into a worker, from the supervisor's process and from a worker: found from all of them.
      assert.deepEqual(await ask("front", { into: "far", name: "f1" }), spawned("f1", "far"));
      assert.deepEqual(await ask("desk", { into: "far", name: "f2" }), spawned("f2", "far"));
      for (const [count, boss] of ["desk", "front", "other"].entries())
        for (const name of ["f1", "f2"])
          assert.deepEqual(await ask(boss, { op: "ask", name }), {
            pid: backPid,
            count: count + 1,
            color: "red",
          });

      // Crashed, it is restarted with its state, and seen.
      assert.notEqual((await once("f1", { say: "crash" }))[0], 200);
      const until = async (agent: string): Promise<JsonObject> => {
        for (;;) {
          const [status, answer] = await once(agent, {});
          if (status === 200) return answer;
          assert.match(String(status), /^50[023]$/, JSON.stringify(answer));
          await new Promise(setImmediate);
        }
      };
      assert.deepEqual(await until("f1"), { pid: backPid, count: 4, color: "red" });
      const control = async (path: string, body?: object): Promise<JsonObject> => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
          headers: { "content-type": "application/json" },
        });
        assert.ok(response.ok, `${path}: ${response.status}`);
        return (await response.json()) as JsonObject;
      };
      const shown = await control("/agents/f1");
      assert.deepEqual(
        [shown["status"], shown["process_id"], shown["restart_count"]],
        ["RUNNING", "back", 1],
      );
      assert.deepEqual(await control("/agents/f1/state"), { agent: "f1", state: { count: 4 } });
      const tree = await runProgram(
        process.execPath,
        [binary, "topology", "show", "topology.yaml"],
        {
          workingDirectory: folder.path,
        },
      );
      assert.match(tree.stdout, /far {2}live: 2\/∞ {2}status: RUNNING {2}\[dyn\]/);
      assert.match(tree.stdout, /f1 {2}RUNNING/);
      const listed = await runProgram(process.execPath, [binary, "ps"], {
        workingDirectory: folder.path,
      });
      assert.match(listed.stdout, /^f1 .*RUNNING/m, listed.stderr);

      // Its worker dies: it is back with the next one, as its policy says.
      back.kill("SIGKILL");
      await back.exited();
      const second = start("--process", "back");
      const { pid: nextPid } = await until("desk");
      assert.notEqual(nextPid, backPid);
      const again = await until("f1");
      assert.deepEqual(again["count"], 5);
      assert.deepEqual((await until("f2"))["pid"], again["pid"]);

      // Ended, its name is free and its state forgotten; who spawned it hears of it.
      assert.deepEqual(await ask("other", { op: "despawn", name: "f2" }), { lateNames: [] });
      assert.deepEqual(await ask("front", { op: "despawn", name: "f1" }), { lateNames: [] });
      await supervisor.waitFor(/gone: f1 despawned;/);
      assert.deepEqual(await ask("desk", { op: "ask", name: "f1" }), {
        refused: "AGENTRT_BUS_NO_ROUTE",
      });
      assert.deepEqual(await ask("desk", { into: "far", name: "f1" }), spawned("f1", "far"));
      assert.equal((await ask("other", { op: "ask", name: "f1" }))["count"], 1);
      assert.deepEqual(await ask("other", { op: "despawn", name: "f1" }), { lateNames: [] });
      await second.waitFor(/gone: f1 despawned;/);
      for (const program of [supervisor, second, side]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );

for (const { name: transport, skip, open } of transportCases)
  test(
    `${transport}: a spawned child on a worker outlives another file, ends itself, and leaves when its supervisor died`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      const file = topology(meeting.section, port).replace(/^.*process: side.*\n/m, "");
      using folder = createTemporaryFolder({
        "topology.yaml": file,
        "next.yaml": file
          .replace("max_children: 2", "max_children: 3")
          .replace(
            "name: desk, type: agents.Boss,",
            "name: desk, type: agents.Boss, config: { floor: 2 },",
          ),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
        });
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using back = start("--process", "back");
      await back.waitFor(/the supervisor has taken this worker/);
      const ask = async (agent: string, body: object): Promise<JsonObject> => {
        for (;;) {
          const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          });
          const answer = (await response.json()) as JsonObject;
          if (response.status === 200) return answer;
          assert.match(String(response.status), /^50[023]$/, JSON.stringify(answer));
          await new Promise(setImmediate);
        }
      };
      for (const name of ["f1", "f2"])
        assert.equal((await ask("desk", { into: "far", name }))["isReady"], true);
      const { pid } = await ask("f1", {});

      // One that ends itself is gone for all.
      assert.deepEqual(await ask("f2", { say: "bye" }), {});
      await back.waitFor(/gone: f2 clean_exit;/);
      assert.deepEqual(await ask("desk", { op: "ask", name: "f2" }), {
        refused: "AGENTRT_BUS_NO_ROUTE",
      });

      // Another file is put in place: the child runs on, and is restarted as before.
      const applied = await runProgram(
        process.execPath,
        [binary, "topology", "apply", "next.yaml", "--yes"],
        { workingDirectory: folder.path },
      );
      assert.equal(applied.code, 0, applied.stderr);
      assert.deepEqual(await ask("f1", {}), { pid, count: 2, color: "red" });
      await ask("desk", { op: "ask", name: "f1", say: "crash" });
      assert.deepEqual(await ask("f1", {}), { pid, count: 3, color: "red" });

      // The supervisor is killed: the next one begins without children, and what they saved stays.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      await using next = start("-t", "next.yaml");
      await next.waitFor(/started; Ctrl\+C stops/);
      await ask("desk", { op: "pid" });
      assert.deepEqual(await ask("front", { op: "ask", name: "f1" }), {
        refused: "AGENTRT_BUS_NO_ROUTE",
      });
      assert.equal((await ask("desk", { into: "far", name: "f1" }))["isReady"], true);
      assert.deepEqual(await ask("front", { op: "ask", name: "f1" }), {
        pid,
        count: 4,
        color: "red",
      });
    },
  );
