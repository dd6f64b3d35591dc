import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ModelServer } from "./model-server.ts";
import type { Service } from "./service.ts";
import type { Traffic } from "./traffic.ts";

/** What faults are made of. */
export interface Scene {
  readonly service: Service;
  readonly traffic: Traffic;
  readonly model: ModelServer;
  /** Programs that hold something. */
  readonly holders: ChildProcess[];
}

/** A fault that can be switched on. */
export interface Fault {
  readonly name: string;
  turnOn(scene: Scene): Promise<void>;
  /** @returns What is still wrong; undefined when it is mended. */
  look(scene: Scene): Promise<string | undefined>;
}

const lookMs = 2000;

const slowAgent: Fault = {
  name: "slow-agent",
  turnOn: async ({ service }) => void (await service.ask("/lookup/later", { forget: true })),
  look: async ({ service }) => {
    const body = { street: "Main Street" };
    const { ms } = await service.ask("/lookup", body, 2000).catch(() => ({ ms: Infinity }));
    return ms < 1500 ? undefined : "an address is not looked up within 1.5 s";
  },
};

const fullMailbox: Fault = {
  name: "full-mailbox",
  turnOn: async ({ service, traffic }) => {
    traffic.answersPerSecond = 10;
    // Alone the agent keeps two or three in a second.
    while ((await service.numberOf("archive", "mailbox_depth")) < 40) await setTimeout(200);
  },
  look: async ({ service, traffic }) => {
    await setTimeout(lookMs);
    const depth = await service.numberOf("archive", "mailbox_depth");
    if (depth > 10) return `${depth} answers wait to be archived`;
    return traffic.answersPerSecond === 10 ? undefined : "no answers come";
  },
};

const crashLoop: Fault = {
  name: "crash-loop",
  turnOn: async ({ service }) => {
    service.edit("smtp://mail.example", "mail.example:25");
    await service.apply();
  },
  look: async ({ service }) => {
    const before = await service.numberOf("mailer", "restart_count");
    await setTimeout(lookMs);
    const { status } = await service.ask("/mailer", { to: "me" }, 3000).catch(noStatus);
    const after = await service.numberOf("mailer", "restart_count");
    return status === 200 && after === before ? undefined : "mails are not sent";
  },
};

const pendingApproval: Fault = {
  name: "pending-approval",
  turnOn: async ({ service }) => void (await service.ask("/refunds/later", { amount: 900 })),
  look: async ({ service }) => {
    const { approvals } = await service.control("/approvals?status=pending");
    const { status } = await service.ask("/refunds", { amount: 10 }, 2000).catch(noStatus);
    const isWaiting = Array.isArray(approvals) && approvals.length > 0;
    return status === 200 && !isWaiting ? undefined : "refunds are not paid";
  },
};

const stuckModel: Fault = {
  name: "stuck-model",
  turnOn: async ({ model }) => void (model.isFirstStuck = true),
  look: async ({ service }) => {
    const [read, told] = await Promise.all([
      service.ask("/read", { text: "Is anybody there?" }, 4000).catch(noStatus),
      service.ask("/tickets/look", { text: "Is anybody there?" }, 6000).catch(noStatus),
    ]);
    if (read.status !== 200 || told.status !== 200) return "tickets are not answered";
    const { at_hand: atHand } = await service.control("/agents/digest");
    return Array.isArray(atHand) && atHand.length > 0 ? "nobody sums the day up" : undefined;
  },
};

const leakingTokens: Fault = {
  name: "leaking-tokens",
  turnOn: async ({ service }) =>
    void (await service.ask("/digest/later", { until: "perfect", text: "Sum up." })),
  look: async ({ service }) => {
    const before = await service.numberOf("digest", "tokens_in");
    // An agent in a loop may wait for its state for a while.
    await setTimeout(3 * lookMs);
    const spent = (await service.numberOf("digest", "tokens_in")) - before;
    return spent < 600 ? undefined : `${spent} tokens went in ${(3 * lookMs) / 1000} s`;
  },
};

const deadStore: Fault = {
  name: "dead-store",
  turnOn: async ({ service, holders }) => {
    const program = fileURLToPath(new URL("hold-store.ts", import.meta.url));
    const path = join(service.folder, "tickets.db");
    const holder = spawn(process.execPath, [program, path], { stdio: ["pipe", "pipe", "inherit"] });
    holders.push(holder);
    await once(holder.stdout, "data");
  },
  look: async ({ service }) => {
    const { status } = await service
      .ask("/tickets/look", { text: "Is it kept?" }, 8000)
      .catch(noStatus);
    const { state } = await service.control("/health");
    return status === 200 && state === undefined ? undefined : "tickets cannot be saved";
  },
};

const driftedTree: Fault = {
  name: "wrong-configuration",
  turnOn: async ({ service }) =>
    await service.apply((text) => text.replace("min: 2, max: 8", "min: 1, max: 1")),
  look: async ({ service }) => {
    const topology = service.topologyText();
    const { changes } = await service.control("/plan", { topology, name: "topology.yaml" });
    return changes === false ? undefined : "what runs is not what the file says";
  },
};

const blockedLoop: Fault = {
  name: "blocked-loop",
  turnOn: async ({ service, traffic }) => {
    traffic.fraudTickets = 1000;
    await service.ask("/fraud/later", { tickets: 1000 });
  },
  look: async ({ traffic }) => {
    // Longer than the frauds are apart.
    await setTimeout(8000);
    const ms = Math.round(traffic.longestDelayMs);
    return ms < 1000 ? undefined : `nothing is answered for ${ms} ms at a time`;
  },
};

const openPort: Fault = {
  name: "open-port",
  turnOn: async ({ service }) => {
    const debug = `    - { name: debug, type: http_gateway, host: 0.0.0.0, port: ${service.ports.debug} }\n`;
    service.edit(/(?= {4}- \{ name: control,)/, debug);
    await service.apply();
  },
  look: async ({ service }) =>
    (await answers("127.0.0.2", service.ports.debug))
      ? `port ${service.ports.debug} is open to the network`
      : undefined,
};

/** All faults, for one at a time. */
export const faults: readonly Fault[] = [
  slowAgent,
  fullMailbox,
  crashLoop,
  pendingApproval,
  stuckModel,
  leakingTokens,
  deadStore,
  driftedTree,
  blockedLoop,
  openPort,
];

function noStatus(): { readonly status: number } {
  return { status: 0 };
}

/** An address of this machine that is not the one that loopback listeners have: open listeners have it, too. */
async function answers(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
