import type { ParsedTopology, Topology } from "../../topology/index.ts";
import { printable } from "../../core/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { readEnvironment } from "./environment.ts";

/** What reading a topology needs. */
export interface TopologySource {
  /** The files, the one at the bottom first. */
  readonly paths: readonly [string, ...string[]];
  readonly input: CommandInput;
  /** Tells the names of the variables that were read, never their values. */
  readonly io: CommandIo;
  /** Goes before the file's `transport.type`. */
  readonly transport?: string | undefined;
  /** Tells what installs the client library of a transport, where it is missing. */
  readonly missingClient?: ((transport: string) => string | undefined) | undefined;
  /** Goes where the file names none. */
  readonly transportDefault?: string | undefined;
}

/** A topology as a command has read it. */
export interface ReadTopology extends ParsedTopology {
  /** Puts names in place of the values of variables that were read. */
  readonly mask: (text: string) => string;
  /** The same for plain data. */
  readonly maskData: (data: unknown) => unknown;
}

/** A topology without problems. */
export interface LoadedTopology extends ReadTopology {
  readonly topology: Topology;
}

/**
 * Reads a topology as the flags of the command line say. Whatever the command tells from now on, no value of a variable
 * is in it; what it prints has to be masked.
 *
 * @param source The files and the command line.
 * @returns The model or the problems.
 * @throws AGENTRT_TOPOLOGY_FILE_MISSING, AGENTRT_TOPOLOGY_FILE_UNREADABLE, AGENTRT_CLI_ENV_FILE_UNREADABLE.
 */
export async function readTopology(source: TopologySource): Promise<ReadTopology> {
  const { paths, input, io, ...given } = source;
  const [{ parseTopologyFile }, { nodeKinds }] = await Promise.all([
    import("../../topology/index.ts"),
    import("../../node-kinds/index.ts"),
  ]);
  const { all, isSubstituted } = readEnvironment(input, io);
  const environment = isSubstituted ? all : undefined;
  return withMasks(parseTopologyFile(paths, { kinds: nodeKinds, environment, ...given }), io);
}

/**
 * Reads a topology that must be right.
 *
 * @param source The files and the command line.
 * @throws AGENTRT_TOPOLOGY_INVALID when it is not; and as `readTopology`.
 */
export async function loadTopology(source: TopologySource): Promise<LoadedTopology> {
  return await required(await readTopology(source));
}

/**
 * Reads the topology whose control plane is to be asked. Files that somebody has broken do not hide what runs: one line says
 * what is wrong with them, and the control plane is looked for in what can be read.
 *
 * @param source The files and the command line.
 * @returns The topology, or what is left of it: its topology server, and the gateway that this is attached to.
 * @throws AGENTRT_TOPOLOGY_INVALID when no topology server is found in them; and as `readTopology`.
 */
export async function loadRunningTopology(
  source: TopologySource,
): Promise<{ readonly topology: Topology }> {
  const read = await readTopology(source);
  const [fault] = read.problems;
  if (read.topology !== undefined || fault === undefined) return await required(read);
  const [{ formatProblem, salvageTopologyFile }, { nodeKinds }] = await Promise.all([
    import("../../topology/index.ts"),
    import("../../node-kinds/index.ts"),
  ]);
  const { paths, input, io } = source;
  const { all, isSubstituted } = readEnvironment(input, io);
  const environment = isSubstituted ? all : undefined;
  const topology = salvageTopologyFile(paths, { kinds: nodeKinds, environment });
  if (topology === undefined) return await required(read);
  const files = paths.join(" + ");
  const line = printable(read.mask(formatProblem(fault)));
  io.tell(
    `"${printable(files)}" is not what runs, it has a fault: ${line}; \`agentrt topology validate\` says more. The control plane that it names is asked`,
  );
  return { topology };
}

async function required(read: ReadTopology): Promise<LoadedTopology> {
  const { requireTopology } = await import("../../topology/index.ts");
  return { ...read, topology: requireTopology(read) };
}

/**
 * Reads a topology that another process has sent.
 *
 * @param files Its files, the one at the bottom first.
 * @param source As for `readTopology`.
 * @throws AGENTRT_TOPOLOGY_INVALID.
 */
export async function readSentTopology(
  files: readonly { readonly fileName: string; readonly text: string }[],
  { input, io, transport }: Pick<TopologySource, "input" | "io" | "transport">,
): Promise<LoadedTopology> {
  const [{ parseParts, requireTopology }, { nodeKinds }] = await Promise.all([
    import("../../topology/index.ts"),
    import("../../node-kinds/index.ts"),
  ]);
  const { all, isSubstituted } = readEnvironment(input, io);
  const environment = isSubstituted ? all : undefined;
  const [first = { fileName: "", text: "" }, ...others] = files;
  const parsed = parseParts([first, ...others], { kinds: nodeKinds, environment, transport });
  const read = withMasks(parsed, io);
  return { ...read, topology: requireTopology(read) };
}

function withMasks(parsed: ParsedTopology, io: CommandIo): ReadTopology {
  const { variables } = parsed;
  if (variables === undefined) return { ...parsed, mask: (text) => text, maskData: (data) => data };
  io.hide(variables.mask);
  const names = variables.names.join(", ") || "nothing";
  io.tell(`read from the environment: ${names}`);
  return { ...parsed, mask: variables.mask, maskData: variables.maskData };
}
