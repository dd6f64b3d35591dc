/**
 * `npm run soak -- <name> [--rounds=<count>]`: long runs against real processes and servers, which find what a short test
 * meets once in a thousand. Without a name, lists them. Exit 0: nothing was found; 1: something was, printed with what
 * it takes to look into it; 2: it cannot run here, or was asked for wrongly.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { soakApprovals } from "./soak/approvals.ts";
import { soakApplyKill } from "./soak/apply-kill.ts";
import { soakBudgets } from "./soak/budgets.ts";
import { soakSameness } from "./soak/codetool-sameness.ts";
import { soakCodetoolBatch } from "./soak/codetool-batch.ts";
import { soakCodetoolEditKill } from "./soak/codetool-edit-kill.ts";
import { soakCodetoolEditRace } from "./soak/codetool-edit-race.ts";
import { soakFreshness } from "./soak/codetool-freshness.ts";
import { soakCodetoolHostile } from "./soak/codetool-hostile.ts";
import { soakCodetoolIndexKill } from "./soak/codetool-index-kill.ts";
import { soakClients } from "./soak/clients.ts";
import { soakCluster } from "./soak/cluster/index.ts";
import { SoakUnfit } from "./soak/soak-unfit.ts";
import { soakKeyedKill } from "./soak/keyed-kill.ts";
import { soakGateway } from "./soak/gateway.ts";
import { soakSimulation } from "./soak/sim.ts";
import { soakLinkCuts } from "./soak/links/link-cuts.ts";
import { soakLinkStarts } from "./soak/links/link-starts.ts";
import { soakWorkerKill } from "./soak/links/worker-kill.ts";
import { soakRollingStops } from "./soak/rolling-stops/index.ts";
import { soakStateKill } from "./soak/state-kill.ts";
import { soakTelemetryView } from "./soak/telemetry-view.ts";
import { soakTelemetry } from "./soak/telemetry.ts";

/** What only some soaks take. */
interface SoakFlags {
  readonly seed: number;
  readonly natsServer: string | undefined;
  readonly isBuggy: boolean;
  readonly faults: string | undefined;
}

/** One soak. */
interface Soak {
  readonly summary: string;
  readonly rounds: number;
  /** @returns The line that says what was done. Throws when something was found. */
  readonly run: (rounds: number, flags: SoakFlags) => Promise<string>;
}

const soaks: { readonly [name: string]: Soak } = {
  "codetool-sameness": {
    summary: "the same searches over the command line, batch and mcp, whatever way led to the tree",
    rounds: 100,
    run: soakSameness,
  },
  sim: {
    summary: "simulated runs of the example trees under seeded faults",
    rounds: 100_000,
    run: soakSimulation,
  },
  gateway: {
    summary:
      "calls over HTTP/1.1, HTTP/2 and WebSocket, so many seconds: right replies, flat memory",
    rounds: 600,
    run: soakGateway,
  },
  "rolling-stops": {
    summary:
      "runs stopped under curl, h2load, grpcurl, grpcio, websockets and aioquic, so often with haproxy and without: none lost",
    rounds: 50,
    run: soakRollingStops,
  },
  telemetry: {
    summary:
      "20 000 spans a second into SQLite under readers, so many seconds, kill -9; charts of up to 10 million",
    rounds: 60,
    run: soakTelemetry,
  },
  "telemetry-view": {
    summary: "agentrt telemetry over so many million spans, most of them of keys: time and memory",
    rounds: 10,
    run: soakTelemetryView,
  },
  "state-kill": {
    summary: "kill -9 while fifty agents checkpoint into SQLite, normal and strict in turn",
    rounds: 200,
    run: (rounds) => soakStateKill({ rounds, store: "sqlite" }),
  },
  "state-kill-postgres": {
    summary: "the same into PostgreSQL, whose server is crashed and started again meanwhile",
    rounds: 200,
    run: (rounds) => soakStateKill({ rounds, store: "postgres" }),
  },
  clients: {
    summary: "so many clients stream answers of two seconds through one route; half of them leave",
    rounds: 200,
    run: soakClients,
  },
  "keyed-kill": {
    summary: "kill -9 of a runtime with 10 000 keys on 500 places, every five seconds",
    rounds: 60,
    run: soakKeyedKill,
  },
  approvals: {
    summary: "kill -9 while agents ask for approvals and two people decide about each",
    rounds: 500,
    run: soakApprovals,
  },
  "apply-kill": {
    summary:
      "kill -9 at each step of three kinds of topology apply, so often at most, then starts of the new file and of the old one",
    rounds: 500,
    run: soakApplyKill,
  },
  budgets: {
    summary: "kill -9 of a thousand agents under one budget, while a model counts what it sells",
    rounds: 200,
    run: soakBudgets,
  },
  "link-cuts": {
    summary:
      "the broker between two processes killed, and its wires cut, each so often under load, over nats and zmq",
    rounds: 50,
    run: soakLinkCuts,
  },
  "link-starts": {
    summary:
      "so many starts of a supervisor and a worker over zmq, asked at once: no call waits for its whole time limit",
    rounds: 500,
    run: soakLinkStarts,
  },
  "worker-kill": {
    summary: "kill -9 of a worker under load, over nats and zmq",
    rounds: 20,
    run: soakWorkerKill,
  },
  cluster: {
    summary:
      "a thousand counters on workers in a network that is cut, so many minutes [--seed=N] [--nats-server=PATH] [--faults=KIND,…] [--planted-bug]",
    rounds: 10,
    run: (minutes, flags) => soakCluster({ minutes, ...flags }),
  },
  "codetool-index-kill": {
    summary: "kill -9 of codetool index, one or two at once, and searches after each",
    rounds: 300,
    run: soakCodetoolIndexKill,
  },
  "codetool-edit-kill": {
    summary:
      "kill -9 of codetool edit --apply, one or two at once: sets of files are old or new, never mixed",
    rounds: 500,
    run: soakCodetoolEditKill,
  },
  "codetool-edit-race": {
    summary:
      "eight processes edit one file, each so many times: every edit is in it or was refused",
    rounds: 1000,
    run: soakCodetoolEditRace,
  },
  "codetool-freshness": {
    summary: "changes that keep sizes, times or inodes: every answer is what rg says",
    rounds: 10_000,
    run: soakFreshness,
  },
  "codetool-batch": {
    summary:
      "so many lines through one batch, edits and bad lines among them: in order, memory flat",
    rounds: 10_000,
    run: soakCodetoolBatch,
  },
  "codetool-hostile": {
    summary: "the commands over a hostile tree, so many files in one folder",
    rounds: 100_000,
    run: soakCodetoolHostile,
  },
};

const usage = "usage: npm run soak -- <name> [--rounds=<count> | --minutes=<count>]";
const [name, ...rest] = process.argv.slice(2);
const soak = name === undefined ? undefined : soaks[name];
const asked = askedIn(rest);
const rounds = asked?.rounds ?? soak?.rounds ?? 0;
if (soak === undefined || asked === undefined || !Number.isInteger(rounds) || rounds < 1) {
  process.stdout.write(`${usage}\n\n`);
  for (const [each, { summary, rounds: count }] of Object.entries(soaks))
    process.stdout.write(`  ${each.padEnd(20)} ${summary} (${count} rounds)\n`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  try {
    process.stdout.write(`${await soak.run(rounds, asked.flags)}\n`);
  } catch (error) {
    process.stderr.write(
      `soak ${name}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = error instanceof SoakUnfit ? 2 : 1;
  }
}

/** Reads the flags; undefined for one that is not there. */
function askedIn(
  words: readonly string[],
): { readonly rounds: number | undefined; readonly flags: SoakFlags } | undefined {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        rounds: { type: "string" },
        minutes: { type: "string" },
        seed: { type: "string" },
        "nats-server": { type: "string" },
        faults: { type: "string" },
        "planted-bug": { type: "boolean" },
      },
    });
    const count = values.rounds ?? values.minutes;
    const flags = {
      seed: Number(values.seed ?? 1),
      natsServer: values["nats-server"],
      faults: values.faults,
      isBuggy: values["planted-bug"] ?? false,
    };
    return { rounds: count === undefined ? undefined : Number(count), flags };
  } catch {
    return undefined;
  }
}
