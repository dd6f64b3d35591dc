import type { Json } from "./worker-topology.ts";

/** Agents that log what they are told, and crash when they are told to. */
export const agents = `
import { Agent, EvalAgent } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }) {
    this.log.info("at the desk", { say: payload.say ?? null });
    if (payload.say === "enough") await this.emitEval("answer", {});
    if (payload.say === "crash") throw new RangeError("the desk broke");
    return { pid: process.pid };
  }
}
export class Judge extends EvalAgent {
  override onEvalEvent() { return { severity: "halt", reason: "enough" }; }
}
`;

/** A topology with agents in three processes. */
export const topology = (transport: string, port: number): string => `transport: ${transport}
plugins: { exporters: [{ type: sqlite }] }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - agent: { name: front, type: agents.Desk }
    - { name: judge, type: eval_agent, config: { class: agents.Judge } }
    - agent: { name: desk, type: agents.Desk, process: back }
    - agent: { name: shelf, type: agents.Desk, process: store }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /front, agent: front }
          - { method: POST, path: /desk, agent: desk }
          - { method: POST, path: /shelf, agent: shelf }
    - { name: control, type: topology_server, config: { attach_to: api, dead_letter_payloads: 10 } }
`;

/** The lines of JSON that a program has printed. */
export function linesOf(stdout: string): Json[] {
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Json);
}
