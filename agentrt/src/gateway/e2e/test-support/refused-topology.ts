import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { reportError } from "../../../cli/report-error.ts";
import { Runtime } from "../../../composition/index.ts";
import { type TopologyProject, writeProject } from "./running-topology.ts";

/**
 * Starts a project that must not start, in this process, and looks at what `agentrt run` would say of that: one clear
 * line, no stack. Apart from `startTopology`: this one loads the whole runtime.
 */
export async function refuseTopology(
  project: TopologyProject,
  expected: RegExp | string,
): Promise<void> {
  using folder = writeProject(project);
  using _variables = addVariables(project.environment ?? {});
  const { exitCode, told } = await start(join(folder.path, "topology.yaml"));
  assert.equal(exitCode, 1, told);
  if (typeof expected === "string") assert.ok(told.includes(expected), told);
  else assert.match(told, expected);
  assert.doesNotMatch(told, /\n\s+at /);
}

async function start(path: string): Promise<{ readonly exitCode: number; readonly told: string }> {
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

/** Adds to this process's environment, until it is disposed of. */
function addVariables(variables: { readonly [name: string]: string }): Disposable {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    },
  };
}
