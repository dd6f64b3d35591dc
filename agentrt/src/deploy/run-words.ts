import type { DeployedProcess, Deployment } from "./deployment.ts";

/**
 * Writes the words behind `agentrt run` that start a process.
 *
 * @param deployment Of the process.
 * @param process One of it.
 * @param where.paths The files of the topology, as the process finds them.
 * @param where.natsUrl What the system that starts the process takes for the value of `NATS_URL`.
 */
export function runWords(
  { transport, substituted }: Deployment,
  { group }: DeployedProcess,
  { paths, natsUrl }: { readonly paths: readonly string[]; readonly natsUrl: string },
): readonly string[] {
  return [
    ...paths.flatMap((path) => ["--topology", path]),
    ...(substituted === undefined ? [] : ["--substitute-env"]),
    ...(transport.type === "in_process" ? [] : ["--transport", transport.type]),
    ...(group === undefined ? ["--exit-on-degraded"] : ["--process", group]),
    ...(transport.type === "nats" ? ["--nats-url", natsUrl] : []),
    "--log-format",
    "json",
  ];
}
