import { basename, resolve } from "node:path";
import type { Log } from "../../core/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import {
  type LoadedTopology,
  loadTopology,
  readSentTopology,
  topologyPaths,
} from "../topologies/index.ts";

/** Flags that say otherwise where the supervisor is, or that are for one. */
const others = ["transport", "nats-url", "spawn-workers", "watch"];

/** What a worker runs that has joined a supervisor. */
export interface Joined {
  readonly read: LoadedTopology;
  /** Name of its process group. */
  readonly process: string;
  /** Where the first file would be here: class paths count from its folder. */
  readonly path: string;
  readonly natsServers: readonly string[] | undefined;
}

/**
 * Joins the supervisor that `--worker` names, and takes the tree from it.
 *
 * @param input The command line of `run`.
 * @param io Its environment is put into the files.
 * @param log Hears who is waited for.
 * @returns Undefined without `--worker`.
 * @throws AGENTRT_CLI_NOT_TOGETHER, AGENTRT_COMPOSITION_JOIN_*, AGENTRT_WORKER_*, AGENTRT_LINK_*.
 */
export async function joinOf(
  input: CommandInput,
  io: CommandIo,
  log: Log,
): Promise<Joined | undefined> {
  const url = input.text("worker");
  if (url === undefined) return undefined;
  const flag = "--worker";
  const other = others.find((name) => input.isSet(name) || input.text(name) !== undefined);
  if (other !== undefined) throw new cliErrors.NOT_TOGETHER({ flag, other: `--${other}` });
  const { joinedAt, joinTopology, readJoinAddress } = await import("../../composition/index.ts");
  const { compositionErrors } = await import("../../node-kinds/index.ts");
  const address = readJoinAddress(url);
  const paths = topologyPaths(input, "path");
  const isNamed = input.arguments("path").length > 0 || input.texts("topology").length > 0;
  const source = { paths, input, io, transport: address.type };
  // What the command line names is expected there; without a file whatever runs there is taken.
  const expected = isNamed ? (await loadTopology(source)).topology : undefined;
  const name = input.text("process");
  const tree = await joinTopology({ address, process: name, topology: expected, log });
  const [only, ...more] = tree.groups;
  if (name === undefined && (only === undefined || more.length > 0))
    throw new compositionErrors.JOIN_PROCESS({ known: tree.groups });
  const read = await readSentTopology(tree.files, { input, io, transport: address.type });
  const { fileName = "topology.yaml" } = tree.files[0] ?? {};
  return {
    read: { ...read, topology: joinedAt(read.topology, address) },
    process: name ?? only ?? "",
    path: resolve(isNamed ? paths[0] : basename(fileName)),
    natsServers: address.type === "nats" ? address.servers : undefined,
  };
}
