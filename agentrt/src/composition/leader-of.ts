import { hostname } from "node:os";
import { pid } from "node:process";
import { createRealSystem, type JsonObject, type Log } from "../core/index.ts";
import { LeaderLease, type LeaseHolder, NatsCell } from "../leadership/index.ts";
import type { Topology } from "../topology/index.ts";
import { natsSettingsOf } from "./nats-settings.ts";

/** Where supervisors agree on who leads. */
const bucket = "agentrt_leader";

/** What a lease is made from, besides its topology. */
export interface LeaderOptions {
  readonly log: Log;
  readonly natsServers?: readonly string[] | undefined;
  readonly legacy?: (() => JsonObject) | undefined;
  readonly onWaiting?: ((leader: LeaseHolder) => void) | undefined;
}

/**
 * Makes the lease by which one of several supervisors of a topology leads. Its transport is nats with `jetstream: true`.
 *
 * @param topology The topology.
 * @param options.log Hears who leads.
 * @param options.natsServers NATS servers in place of the file's.
 * @param options.legacy What the next leader is to know.
 * @param options.onWaiting Hears who leads while this one waits.
 */
export function leaderOf(topology: Topology, options: LeaderOptions): LeaderLease {
  const { log, natsServers, legacy, onWaiting } = options;
  const system = createRealSystem();
  const cell = new NatsCell({
    ...natsSettingsOf(topology, natsServers),
    system,
    bucket,
    replicaCount: topology.transport.replicaCount,
    key: "supervisor",
    onWaiting: (where, reason) =>
      log.warn("no NATS server is there yet; it is tried again", { where, reason }),
  });
  const holder = { processId: system.nextId(), host: hostname(), pid };
  return new LeaderLease({ cell, system, log, holder, legacy, onWaiting });
}
