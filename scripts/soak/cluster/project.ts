/** The topology of the soak: counters by key on workers, and the set-up module by which their clocks jump. */
import { createTemporaryFolder, overAgentrt } from "testkit";

/** Where the gateway of a supervisor listens. */
export const gatewayPort = 8080;

const agents = `
import { Agent } from "agentrt";

export class Counter extends Agent {
  override async handle({ payload }) {
    const ids = [...(this.state["ids"] ?? []), payload.id];
    await new Promise((resolve) => setTimeout(resolve, payload.waitMs));
    this.state["ids"] = ids;
    await this.checkpoint();
    return { value: ids.length };
  }
}
`;

/** The planted bug: states under no fence. */
const stores = `
import { NatsKvStateStore } from "agentrt/state";

export class Unfenced extends NatsKvStateStore {
  constructor(config) {
    super(config);
    const raise = this.fenced.raise.bind(this.fenced);
    this.fenced = {
      raise,
      get: (agent) => this.get(agent),
      set: (agent, state) => this.set(agent, state),
      delete: (agent) => this.delete(agent),
    };
  }
}
`;

/** Read before a program: its clocks are what a file says. The monotonic one never goes back, it halts until it is later. */
const clock = `
import { readFileSync } from "node:fs";

let [wallMs, monotonicMs, latestMs] = [0, 0, 0];
const [wall, monotonic] = [Date.now, performance.now.bind(performance)];
Date.now = () => wall() + wallMs;
performance.now = () => (latestMs = Math.max(latestMs, monotonic() + monotonicMs));
setInterval(() => {
  try {
    const [one, other] = readFileSync(process.env["SOAK_CLOCK"], "utf8").split(" ").map(Number);
    if (Number.isFinite(one) && Number.isFinite(other)) [wallMs, monotonicMs] = [one, other];
  } catch {}
}, 100).unref();
`;

/**
 * Makes the project.
 *
 * @param servers Addresses of the NATS servers.
 * @param isBuggy True for the planted bug.
 */
export function clusterFolder(servers: readonly string[], isBuggy: boolean) {
  const urls = servers.map((address) => `"nats://${address}:4222"`).join(", ");
  const state = isBuggy
    ? `{ type: "./stores.ts#Unfenced", config: { servers: [${urls}], replicaCount: 3 } }`
    : "{ type: nats_kv }";
  return createTemporaryFolder({
    "package.json": '{"type":"module"}',
    "agents.ts": agents,
    "stores.ts": overAgentrt(stores),
    "clock.mjs": clock,
    "topology.yaml": `transport: { type: nats, servers: [${urls}], jetstream: true, replicas: 3 }
plugins:
  state: ${state}
supervision:
  name: root
  backoff_base: 0.05
  max_restarts: 1000000
  children:
    - { name: counter, type: keyed, process: heavy, config: { class: agents.Counter, key: key, max_restarts: 1000000 } }
    - name: api
      type: http_gateway
      config: { host: 0.0.0.0, port: ${gatewayPort}, routes: [{ method: POST, path: /count, agent: counter, request_timeout: 10 }] }
`,
  });
}
