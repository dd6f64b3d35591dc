/** The only worker of a group stops by a signal: what it works on is answered over HTTP, and what comes later is refused at once. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, freePort, startProgram } from "testkit";
import { transportCases } from "./test-support/transports.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

let open;
const opened = new Promise((resolve) => (open = resolve));

export class Gate extends Agent {
  override async handle({ payload }) {
    if (payload.open) open();
    else console.log("waiting;");
    await opened;
    return {};
  }
}

export class Desk extends Agent {
  override async handle() {
    await this.call("gate", {});
    return { pid: process.pid };
  }
}
`;

/** @param isShared True for a group that several workers may join. */
const topology = (
  section: string,
  port: number,
  isShared: boolean,
): string => `transport: ${section}
plugins:
  state: { type: sqlite }
supervision:
  name: root
  children:
    - agent: { name: gate, type: agents.Gate, concurrency: 10 }
    - agent: { name: desk, type: agents.Desk, process: back, concurrency: 2 }
${isShared ? "    - { name: team, type: pool, process: back, config: { class: agents.Desk, size: 2 } }\n" : ""}    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes: [{ method: POST, path: /desk, agent: desk }, { method: POST, path: /gate, agent: gate }]
`;

for (const { name, skip, open } of transportCases)
  for (const isShared of [false, true])
    test(
      `${name}: the only worker of a group ${isShared ? "that several may join " : ""}answers what it has when it stops, and is away for what comes later`,
      { skip },
      async () => {
        await using meeting = await open();
        const port = await freePort();
        using folder = createTemporaryFolder({
          "topology.yaml": topology(meeting.section, port, isShared),
          "agents.ts": agents,
          "package.json": '{"type":"module"}',
        });
        const start = (...words: string[]) =>
          startProgram(process.execPath, [binary, "run", ...words], {
            workingDirectory: folder.path,
          });
        const post = async (path: string, body: object = {}): Promise<Response> =>
          await fetch(`http://127.0.0.1:${port}${path}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          });
        await using supervisor = start();
        await supervisor.waitFor(/started; Ctrl\+C stops/);
        await using worker = start("--process", "back");
        await supervisor.waitFor(/a worker is there/);
        /** Asks again while the agent is not there yet. */
        const served = async (): Promise<Response> => {
          for (;;) {
            const response = await post("/desk");
            if (response.status !== 503) return response;
            await response.text();
          }
        };
        const first = served();
        await supervisor.waitFor(/waiting;/);
        const second = post("/desk");
        await supervisor.waitFor(/waiting;[^]*waiting;/);

        worker.kill("SIGTERM");
        await supervisor.waitFor(/a worker stops: it/);
        const late = await post("/desk");
        assert.equal(late.status, 503, await late.text());
        assert.equal((await post("/gate", { open: true })).status, 200);
        for (const response of [await first, await second])
          assert.deepEqual(
            [response.status, await response.json()],
            [200, { pid: worker.process.pid }],
          );
        assert.equal((await worker.exited()).code, 0, worker.output);
        await supervisor.waitFor(/a worker has stopped/);
        assert.equal((await post("/desk")).status, 503);
      },
    );
