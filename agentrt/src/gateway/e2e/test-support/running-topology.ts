import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import {
  agentrtLauncher,
  createTemporaryFolder,
  type Program,
  runProgram,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import { reportError } from "../../../cli/report-error.ts";
import { Runtime } from "../../../composition/index.ts";

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

function write({ topology, files }: TopologyProject): TemporaryFolder {
  return createTemporaryFolder({ "topology.yaml": topology, ...files });
}

/** Starts a project with `agentrt run`, and waits until it says that it has. */
export async function startTopology(project: TopologyProject): Promise<RunningTopology> {
  const folder = write(project);
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

/**
 * Starts a project that must not start, and looks at what `agentrt run` says of that: one clear line, no stack. In this
 * process, unless it needs an environment of its own.
 */
export async function refuseTopology(
  project: TopologyProject,
  expected: RegExp | string,
): Promise<void> {
  using folder = write(project);
  const { environment } = project;
  const { exitCode, told } = await (environment === undefined
    ? startHere(join(folder.path, "topology.yaml"))
    : startThere(folder.path, environment));
  assert.equal(exitCode, 1, told);
  if (typeof expected === "string") assert.ok(told.includes(expected), told);
  else assert.match(told, expected);
  assert.doesNotMatch(told, /\n\s+at /);
}

interface StartEnd {
  readonly exitCode: number | null;
  readonly told: string;
}

async function startHere(path: string): Promise<StartEnd> {
  const lines: string[] = [];
  try {
    await using runtime = await Runtime.fromTopology(path);
    await runtime.start();
    return { exitCode: 0, told: "it has started" };
  } catch (error) {
    const exitCode = reportError(error, (line) => lines.push(line));
    return { exitCode, told: lines.join("\n") };
  }
}

async function startThere(
  workingDirectory: string,
  environment: { readonly [name: string]: string },
): Promise<StartEnd> {
  const options = { workingDirectory, environment };
  const exit = await runProgram(process.execPath, [agentrtBinary, "run"], options);
  return { exitCode: exit.code, told: exit.stderr };
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
