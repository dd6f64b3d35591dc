import { freePort } from "testkit";
import {
  type RunningTopology,
  startTopology,
} from "../../agentrt/src/gateway/e2e/test-support/running-topology.ts";

/** A control plane for judges to talk to, over a tree in which each of its routes finds something. */
export interface JudgedControl extends AsyncDisposable {
  readonly running: RunningTopology;
  readonly port: number;
  /** Names of agents of each kind. */
  readonly names: readonly string[];
  /** Texts of topologies that may be put in place of the running one. */
  readonly topologies: readonly string[];
  /** Ids of what is there, by the list that has it. */
  readonly ids: { readonly [list in IdList]: readonly string[] };
}

type IdList = "approvals" | "crashes" | "letters" | "traces";

const approvalCount = 40;
const crashCount = 20;

const agents = `
import { Agent, type Message } from "agentrt";

export class Worker extends Agent {
  override async handle({ type }: Message) {
    this.state = { count: Number(this.state.count ?? 0) + 1, apiKey: "hidden" };
    this.log.info("worked", { type });
    if (type === "crash") throw new RangeError("as told", { cause: new TypeError("below it") });
    if (type === "approval") {
      const schema = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };
      await this.suspendForApproval({ kind: "refund", payload: { amount: 1 }, schema, expiresMs: 3_600_000 });
    }
    return {};
  }
}
`;

function topology(port: number, extra: readonly object[] = []): string {
  const worker = (name: string) => ({ agent: { name, type: "agents.Worker" } });
  const limits = { max_restarts: 1000, restart_window: 3600, backoff_base: 0 };
  return JSON.stringify({
    plugins: { exporters: [{ type: "sqlite" }] },
    resilience: { agents: { worker: { circuit_breaker: {} } } },
    supervision: {
      name: "root",
      ...limits,
      children: [
        worker("worker"),
        {
          name: "members",
          type: "pool",
          class: "agents.Worker",
          size: 2,
          budget: { usd: 1, per: "hour" },
        },
        {
          name: "ticket",
          type: "keyed",
          class: "agents.Worker",
          key: "id",
          ...limits,
        },
        { name: "sessions", type: "dynamic_supervisor" },
        ...extra,
        {
          name: "topo",
          type: "topology_server",
          config: { host: "localhost", port, dead_letter_payloads: 100 },
        },
      ],
    },
  });
}

/** Starts it, and lets its agents crash, ask for approvals and lose messages. */
export async function startJudgedControl(): Promise<JudgedControl> {
  const port = await freePort();
  const running = await startTopology({
    topology: topology(port),
    files: { "agents.ts": agents },
    timeoutMs: 3_600_000,
  });
  const base = `http://localhost:${port}`;
  const inject = async (agent: string, type: string): Promise<void> => {
    const response = await fetch(`${base}/agents/${encodeURIComponent(agent)}/mailbox`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type, payload: { id: "1" } }),
    });
    if (response.status !== 202) throw new Error(`${agent}: ${await response.text()}`);
  };
  const list = async (path: string, key: string): Promise<readonly Item[]> => {
    const body = (await (await fetch(`${base}${path}`)).json()) as {
      readonly [list: string]: readonly Item[];
    };
    return body[key] ?? [];
  };
  /** Asks until as many are there. */
  const full = async (path: string, key: string, count: number): Promise<readonly Item[]> => {
    for (;;) {
      const items = await list(path, key);
      if (items.length >= count) return items;
    }
  };
  for (let index = 0; index < approvalCount; index += 1)
    await inject(`ticket/${index}`, "approval");
  for (let index = 0; index < crashCount; index += 1) {
    await inject("worker", "crash");
    await full("/crashes", "crashes", index + 1);
  }
  const approvals = await full("/approvals", "approvals", approvalCount);
  const crashes = await list("/crashes", "crashes");
  const letters = await full("/dead-letters", "dead_letters", crashCount);
  const extra = { agent: { name: "extra", type: "agents.Worker" } };
  return {
    running,
    port,
    names: ["worker", "members", "ticket", "ticket/1", "sessions", "topo"],
    topologies: [topology(port), topology(port, [extra])],
    ids: {
      approvals: idsOf(approvals, "id"),
      crashes: idsOf(crashes, "id"),
      letters: idsOf(letters, "id"),
      traces: idsOf(letters, "trace_id"),
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

type Item = { readonly [key: string]: unknown };

function idsOf(items: readonly Item[], key: string): string[] {
  return items.flatMap(({ [key]: id }) => (typeof id === "string" ? [id] : []));
}
