import type { Topology, TopologyProblem } from "../../topology/index.ts";
import { type CommandIo, type CommandSpec, jsonFlag } from "../command.ts";
import {
  readEnvironment,
  type ReadTopology,
  readTopology,
  topologyFlags,
  topologyPaths,
  type TopologySource,
} from "../topologies/index.ts";

/** `agentrt topology validate`. */
export const topologyValidateCommand: CommandSpec = {
  words: ["topology", "validate"],
  summary: "check a topology file without running anything",
  arguments: [{ name: "path", summary: "the topology file", isOptional: true }],
  flags: [
    ...topologyFlags,
    {
      name: "load",
      summary: "load classes, plugins and middleware, too, which runs the modules that hold them",
    },
    { name: "strict", summary: "count notes as errors" },
    jsonFlag,
  ],
  examples: [
    [
      "agentrt topology validate topology.yaml",
      "prints a checklist; exit code 1 when a check fails",
    ],
    [
      "agentrt topology validate topology.yaml --json",
      "prints problems with line and column for a script",
    ],
    [
      "agentrt topology validate base.yaml -t production.yaml --substitute-env",
      "checks a file with another one laid over it, and variables put in",
    ],
    [
      "agentrt topology validate topology.yaml --load --strict",
      "checks the code that the file names, too, and exits 1 for a note; for continuous integration",
    ],
  ],
  run: async (input, io) => {
    const paths = topologyPaths(input, "path");
    const path = paths.join(" + ");
    const { missingClient } = await import("../../link-clients/index.ts");
    const parsed = await readTopology({ paths, input, io, missingClient });
    const code = input.isSet("load") ? await loadCode(parsed, { paths, input, io }) : undefined;
    const report = await createReport(path, parsed, { code, isStrict: input.isSet("strict") });
    if (input.isSet("json")) io.print(`${JSON.stringify(toPrinted(report), null, 2)}\n`);
    else await printChecklist(report, io);
    if (report.isValid) return 0;
    if (!input.isSet("json")) io.tell(`agentrt: ${path} is not valid: ${countFaults(report)}`);
    return 1;
  },
};

/** Loads what the file names; a file that is not right has nothing that could be loaded. */
async function loadCode(
  { topology, mask }: ReadTopology,
  { paths, input, io }: TopologySource,
): Promise<readonly TopologyProblem[] | undefined> {
  if (topology === undefined) return undefined;
  const { checkCode } = await import("../../composition/index.ts");
  // Modules may leave timers and sockets behind.
  io.endAtReturn();
  io.addVariables(readEnvironment(input, io).all);
  const { whileLoading } = await import("../running/index.ts");
  const problems = await whileLoading(io, async () => await checkCode(topology, paths[0]));
  return problems.map((problem) => ({ ...problem, message: mask(problem.message) }));
}

/** One line of the checklist. */
interface CheckLine {
  readonly group: string;
  readonly text: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly problems: readonly TopologyProblem[];
}

interface Report {
  readonly isValid: boolean;
  /** Whether notes count as errors. */
  readonly isStrict: boolean;
  readonly path: string;
  readonly topology: Topology | undefined;
  readonly problems: readonly TopologyProblem[];
  readonly notes: readonly TopologyProblem[];
  readonly lines: readonly CheckLine[];
  /** Names of the variables that were read; nothing where none could be. */
  readonly variables: readonly string[] | undefined;
  readonly counts: { readonly agentCount: number; readonly supervisorCount: number } | undefined;
}

const checkTexts: { readonly [check in TopologyProblem["check"]]: string } = {
  "yaml-syntax": "YAML syntax",
  variables: "environment variables are set",
  "supervision-present": "supervision section present",
  "no-empty-supervisors": "no empty supervisors",
  "tree-well-formed": "tree well-formed",
  "agents-named": "every agent has name and type",
  "no-duplicate-names": "no duplicate names",
  "no-name-conflicts": "no agent/supervisor name conflicts",
  strategies: "strategies: ONE_FOR_ALL, ONE_FOR_ONE, REST_FOR_ONE",
  backoffs: "backoff policies: CONSTANT, EXPONENTIAL, LINEAR",
  "max-restarts": "max_restarts a non-negative integer",
  transport: "transport type: in_process, nats, zmq",
  "keys-known": "no unknown keys",
  values: "values of the right type and range",
  references: "references between nodes",
  code: "classes, plugins and middleware load",
};

async function createReport(
  path: string,
  parsed: ReadTopology,
  { code, isStrict }: { code: readonly TopologyProblem[] | undefined; isStrict: boolean },
): Promise<Report> {
  const [{ countTopology, findUnservedKeys, topologyChecks }, { nodeKinds }] = await Promise.all([
    import("../../topology/index.ts"),
    import("../../node-kinds/index.ts"),
  ]);
  const { topology, notes } = parsed;
  const problems = [...parsed.problems, ...(code ?? [])];
  const failed = new Set(problems.map((problem) => problem.check));
  // Without a document, or without its tree, the checks behind were not made.
  const stopAfter = (["yaml-syntax", "variables", "supervision-present"] as const).find((check) =>
    failed.has(check),
  );
  let isStopped = false;
  const lines: CheckLine[] = [];
  for (const [group, checks] of Object.entries(topologyChecks)) {
    for (const check of checks) {
      if (check === "variables" && parsed.variables === undefined) continue;
      if (check === "code" && code === undefined) continue;
      const own = problems.filter((problem) => problem.check === check);
      const state = own.length > 0 ? "failed" : isStopped ? "skipped" : "passed";
      lines.push({ group, text: checkTexts[check], state, problems: own });
      if (check === stopAfter) isStopped = true;
    }
  }
  const unserved = topology === undefined ? [] : findUnservedKeys(topology);
  const unservedNotes = unserved.map((use) => ({
    check: "keys-known" as const,
    fileName: use.fileName ?? topology?.fileName ?? path,
    path: use.path,
    line1: use.line1,
    column1: use.column1,
    message: `this build does not serve "${use.key}" yet: agentrt run refuses to start`,
  }));
  const counts = topology === undefined ? undefined : countTopology(topology, nodeKinds);
  const variables = parsed.variables?.names;
  const allNotes = [...notes, ...unservedNotes];
  const isValid = problems.length === 0 && (!isStrict || allNotes.length === 0);
  return { path, isValid, isStrict, topology, problems, notes: allNotes, lines, variables, counts };
}

async function printChecklist(report: Report, io: CommandIo): Promise<void> {
  const { formatProblem } = await import("../../topology/index.ts");
  const marks = {
    passed: io.style.green("✓"),
    failed: io.style.red("✗"),
    skipped: io.style.grey("-"),
  };
  const output: string[] = [];
  let group = "";
  for (const line of report.lines) {
    if (line.group !== group) output.push(io.style.bold(line.group));
    group = line.group;
    output.push(
      `  ${marks[line.state]} ${line.text}${line.state === "skipped" ? " (not checked)" : ""}`,
    );
    for (const problem of line.problems) output.push(`      ${formatProblem(problem)}`);
  }
  for (const note of report.notes) output.push(`${io.style.yellow("note")} ${formatProblem(note)}`);
  output.push("");
  if (report.isValid && report.topology !== undefined && report.counts !== undefined)
    output.push(
      `${io.style.green("Valid")}: ${countOf(report.counts.agentCount, "agent")} · ${countOf(report.counts.supervisorCount, "supervisor")} · transport ${report.topology.transport.type}`,
    );
  else output.push(`${io.style.red("Invalid")}: ${countFaults(report)}`);
  io.print(`${output.join("\n")}\n`);
}

function toPrinted(report: Report): object {
  const printed = (problem: TopologyProblem) => ({
    check: problem.check,
    file: problem.fileName,
    line: problem.line1,
    column: problem.column1,
    path: problem.path,
    message: problem.message,
    ...(problem.nearest === undefined ? {} : { nearest: problem.nearest }),
  });
  return {
    file: report.path,
    valid: report.isValid,
    agents: report.counts?.agentCount ?? null,
    supervisors: report.counts?.supervisorCount ?? null,
    transport: report.topology?.transport.type ?? null,
    checks: report.lines.map(({ group, text, state }) => ({ group, name: text, state })),
    ...(report.variables === undefined ? {} : { variables: report.variables }),
    problems: report.problems.map(printed),
    notes: report.notes.map(printed),
  };
}

function countFaults({ problems, notes, isStrict }: Report): string {
  const errors = countOf(problems.length, "error");
  return isStrict && notes.length > 0 ? `${errors}, ${countOf(notes.length, "note")}` : errors;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
