/** The tree of the soaks of links: a front in the supervisor's process, a desk and a tally on the worker `back`. */
import process from "node:process";
import { agentrtLauncher, createTemporaryFolder, type Program, startProgram } from "testkit";

const agents = `
import { openSync, writeSync } from "node:fs";
import { Agent } from "agentrt";

export class Front extends Agent {
  override async handle({ payload }) {
    const { id, kind } = payload;
    try {
      if (kind === "cast") await this.cast("tally", { id });
      else return await this.call("desk", { id }, { timeoutMs: 3000 });
      return { id };
    } catch (error) {
      return { code: error.code ?? String(error) };
    }
  }
}

export class Desk extends Agent {
  override async handle({ payload }) {
    await new Promise((resolve) => setTimeout(resolve, Number(payload.id) % 20));
    return { id: payload.id };
  }
}

// What is written here is there after a kill: it is the system's, not this process's.
export class Tally extends Agent {
  #file = openSync(process.env["TALLY"] ?? "", "a");
  override handle({ payload }) {
    writeSync(this.#file, payload.id + "\\n");
  }
}
`;

/** Where the front is asked: `{ id, kind }`. */
export const frontPath = "/front";

/** Makes the project of a soak. */
export function linksFolder(transport: string, port: number) {
  return createTemporaryFolder({
    "package.json": '{"type":"module"}',
    "tally.txt": "",
    "agents.ts": agents,
    "topology.yaml": `transport: ${transport}
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 1000000
  children:
    - agent: { name: front, type: agents.Front, concurrency: 1000 }
    - agent: { name: desk, type: agents.Desk, process: back, concurrency: 1000 }
    - agent: { name: tally, type: agents.Tally, process: back }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control, routes: [{ method: POST, path: ${frontPath}, agent: front, request_timeout: 10 }] }
    - { name: control, type: topology_server, config: { attach_to: api, prefix: /control } }
`,
  });
}

/** Starts `agentrt run` in it. */
export function startRun(directory: string, ...words: string[]): Program {
  return startProgram(process.execPath, [agentrtLauncher(), "run", ...words], {
    workingDirectory: directory,
    environment: { TALLY: `${directory}/tally.txt` },
    timeoutMs: 3_600_000,
  });
}
