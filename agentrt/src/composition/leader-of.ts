import { hostname } from "node:os";
import { pid } from "node:process";
import { createRealSystem, type Log } from "../core/index.ts";
import { LeaderLease, NatsCell } from "../leadership/index.ts";
import type { Topology } from "../topology/index.ts";
import { natsSettingsOf } from "./nats-settings.ts";

/** Where supervisors agree on who leads. */
const bucket = "agentrt_leader";

/**
 * Makes the lease by which one of several supervisors of a topology leads.
 *
 * @param topology The topology.
 * @param options.log Hears who leads.
 * @param options.natsServers NATS servers in place of the file's.
 * @returns Undefined where nothing keeps supervisors apart: without transport nats with `jetstream: true`.
 */
export function leaderOf(
  topology: Topology,
  { log, natsServers }: { readonly log: Log; readonly natsServers?: readonly string[] | undefined },
): LeaderLease | undefined {
  const { type, isJetstream } = topology.transport;
  if (type !== "nats" || !isJetstream) return undefined;
  const system = createRealSystem();
  const cell = new NatsCell({
    ...natsSettingsOf(topology, natsServers),
    system,
    bucket,
    key: "supervisor",
    onWaiting: (where, reason) =>
      log.warn("no NATS server is there yet; it is tried again", { where, reason }),
  });
  const holder = { processId: system.nextId(), host: hostname(), pid };
  return new LeaderLease({ cell, system, log, holder });
}
