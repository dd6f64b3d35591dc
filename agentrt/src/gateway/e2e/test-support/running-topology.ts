import process from "node:process";
import {
  agentrtLauncher,
  createTemporaryFolder,
  type Program,
  startProgram,
  type TemporaryFolder,
} from "testkit";

/** The `agentrt` binary of this checkout. */
export const agentrtBinary = agentrtLauncher();

/** A project on disk, and what its runtime finds around itself. */
export interface TopologyProject {
  /** The text of `topology.yaml`. */
  readonly topology: string;
  /** Other files, by path: `agents.ts`, `guards.ts`. */
  readonly files: { readonly [path: string]: string };
  /** Added to this process's environment. */
  readonly environment?: { readonly [name: string]: string } | undefined;
  /** After this long it is ended, milliseconds. Default 300 000. */
  readonly timeoutMs?: number;
}

/** A project that `agentrt run` has started. */
export interface RunningTopology extends AsyncDisposable {
  readonly program: Program;
  readonly folder: TemporaryFolder;
  /** All it wrote so far. */
  readonly output: () => string;
}

/** Writes a project into a folder of its own. */
export function writeProject({ topology, files }: TopologyProject): TemporaryFolder {
  return createTemporaryFolder({ "topology.yaml": topology, ...files });
}

/** Starts a project with `agentrt run`, and waits until it says that it has. */
export async function startTopology(project: TopologyProject): Promise<RunningTopology> {
  const folder = writeProject(project);
  const { environment = {}, timeoutMs = 300_000 } = project;
  const program = startProgram(process.execPath, [agentrtBinary, "run"], {
    workingDirectory: folder.path,
    environment,
    timeoutMs,
  });
  await program.waitFor(/started/);
  // What it said before on the other stream lies in its pipe: the next turns of the event loop read it.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return {
    program,
    folder,
    output: () => program.output,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Moves every line of YAML to the right. */
export function indent(yaml: string, width: number): string {
  return yaml.trim().replaceAll(/^/gm, " ".repeat(width));
}

/**
 * A tree of an agent `echo` (`agents.Echo`) and a gateway on a port of 127.0.0.1.
 *
 * @param config Further lines of the gateway's `config`.
 */
export function echoGateway(port: number, config: string): string {
  return `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
${indent(config.trim(), 8)}
`;
}
