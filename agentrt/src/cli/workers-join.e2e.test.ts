/** `agentrt run --worker URL`: a worker without a topology file, over each transport between processes. */
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

const binary = agentrtLauncher();

const code = {
  "agents.ts": `
import { Agent } from "agentrt";

export class Desk extends Agent {
  async handle() {
    return { pid: process.pid, by: this.config.by ?? null };
  }
}
`,
  "package.json": '{"type":"module"}',
};

interface Served {
  readonly status: number;
  readonly pid: number;
  readonly by: string | null;
}

async function call(port: number, agent: string): Promise<Served> {
  const response = await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, ...((await response.json()) as object) } as Served;
}

async function served(port: number, agent: string): Promise<Served> {
  for (;;) {
    const answer = await call(port, agent);
    if (answer.status === 200) return answer;
    await new Promise(setImmediate);
  }
}

for (const { name, skip, open } of transportCases)
  test(
    `${name}: run --worker takes the tree from the supervisor, and another topology is refused`,
    {
      skip,
    },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      const topology = (by: string, more = ""): string => `transport: ${meeting.section}
supervision:
  name: root
  children:
    - agent: { name: front, type: agents.Desk }
    - agent: { name: desk, type: agents.Desk, process: back, config: { by: ${by} } }
${more}    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;
      const second = "    - agent: { name: stock, type: agents.Desk, process: store }\n";
      using main = createTemporaryFolder({
        ...code,
        "topology.yaml": topology("old"),
        "next.yaml": topology("new", second),
      });
      using elsewhere = createTemporaryFolder({ ...code, "other.yaml": topology("other") });
      const url = name === "nats" ? /nats:[^"]+/ : /tcp:[^"]+", sub_addr: "tcp:[^"]+/;
      const found = url.exec(meeting.section)?.[0].replace('", sub_addr: "', ",") ?? "";
      const start = (folder: string, ...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder,
          timeoutMs: 600_000,
        });
      const join = async (...words: string[]) =>
        await runProgram(process.execPath, [binary, "run", "--worker", ...words], {
          workingDirectory: elsewhere.path,
        });
      await using early = start(elsewhere.path, "--worker", found);
      await early.waitFor(/no supervisor answers yet|no proxy of ZeroMQ is there yet/);
      await using supervisor = start(main.path);
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      const first = await served(port, "desk");
      assert.equal(first.by, "old");
      assert.notEqual(first.pid, (await call(port, "front")).pid);

      // What was applied meanwhile is what others get.
      const next = { files: [{ name: "next.yaml", topology: topology("new", second) }] };
      const applied = await fetch(`http://127.0.0.1:${port}/apply`, {
        method: "POST",
        body: JSON.stringify(next),
        headers: { "content-type": "application/json" },
      });
      assert.equal(applied.status, 200, await applied.text());
      const which = await join(found);
      assert.equal(which.code, 2);
      assert.match(which.stderr, /its tree has several process groups: "back", "store"/);
      const unknown = await join(found, "--process", "front");
      assert.equal(unknown.code, 1);
      assert.match(unknown.stderr, /Cannot run process "front" .*there are "back", "store"/);
      const other = await join(found, "-t", "other.yaml", "--process", "store");
      assert.equal(other.code, 1);
      assert.match(
        other.stderr,
        /Cannot take worker "store": it was started with another topology/,
      );
      const both = await join(found, "--spawn-workers");
      assert.deepEqual([both.code, /--worker and --spawn-workers/.test(both.stderr)], [2, true]);
      const nowhere = await join("http://127.0.0.1:1");
      assert.equal(nowhere.code, 2);
      assert.match(nowhere.stderr, /wanted nats:\/\/host:4222 or tcp:\/\/host:5559/);
      await using store = start(elsewhere.path, "--worker", found, "--process", "store");
      const stock = await served(port, "stock");
      assert.notEqual(stock.pid, first.pid);
      for (const program of [store, early, supervisor]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );

for (const { name, skip, open } of transportCases)
  test(
    `${name}: run --worker joins a supervisor that signs${name === "zmq" ? " and encrypts" : ""}, by the security of its file`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      const curve = name === "zmq" ? "  transport: { zmq: { curve: { key_dir: curve } } }\n" : "";
      const security = `security:
  signing: { enabled: true }
  identity: { mode: provisioned, key_dir: keys }
${curve}`;
      const topology = `transport: ${meeting.section}
${security}supervision:
  name: root
  children:
    - agent: { name: front, type: agents.Desk }
    - agent: { name: desk, type: agents.Desk, process: back, config: { by: signed } }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;
      using folder = createTemporaryFolder({ ...code, "topology.yaml": topology });
      const workingDirectory = folder.path;
      const words = [
        ["signing", "--out", "keys"],
        ...(curve === "" ? [] : [["zmq", "--out", "curve"]]),
      ];
      for (const each of words) {
        const made = await runProgram(process.execPath, [binary, "security", "init", ...each], {
          workingDirectory,
        });
        assert.equal(made.code, 0, made.stderr);
      }
      const url = name === "nats" ? /nats:[^"]+/ : /tcp:[^"]+", sub_addr: "tcp:[^"]+/;
      const found = url.exec(meeting.section)?.[0].replace('", sub_addr: "', ",") ?? "";
      const start = (...more: string[]) =>
        startProgram(process.execPath, [binary, "run", ...more], { workingDirectory });
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using worker = start("-t", "topology.yaml", "--worker", found, "--process", "back");
      await worker.waitFor(/the supervisor has taken this worker/);
      const answer = await served(port, "desk");
      assert.equal(answer.by, "signed");
      assert.notEqual(answer.pid, (await call(port, "front")).pid);
      for (const program of [supervisor, worker]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );
