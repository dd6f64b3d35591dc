import { dirname } from "node:path";
import process from "node:process";
import { createRedactor, type Log, logLevels, type Redactor } from "../../core/index.ts";
import type { Runtime, StopReport } from "../../runtime/index.ts";
import type { CommandInput, CommandIo, CommandSpec } from "../command.ts";
import type { FromTopologyOptions, ProcessOptions } from "../../composition/index.ts";
import { openRunCrashes, type RunCrashes } from "../crashes/index.ts";
import { processGroups, type Topology } from "../../topology/index.ts";
import { cliErrors } from "../errors.ts";
import {
  endOfOwner,
  giveUpOf,
  isDebugged,
  joinOf,
  Lead,
  launcherPidOf,
  type LogSettings,
  logFormats,
  LoopWatch,
  openLog,
  openRecording,
  readLogSettings,
  readSpawnCounts,
  type RunEnd,
  RunLines,
  type SpawnedName,
  SpawnedWorkers,
  StartWatch,
  tellLeftBehind,
  waitForStopSignal,
  type WatchedRun,
  watchTree,
  whileLoading,
} from "../running/index.ts";
import {
  type LoadedTopology,
  loadTopology,
  readEnvironment,
  topologyFlags,
  topologyPaths,
  topologyWords,
} from "../topologies/index.ts";

const everyHost: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Most lines of the tree that a start shows. */
const treeLineCountMax = 40;

/** An internal error of software, as sysexits.h has it. */
const degradedExitCode = 70;

/** `agentrt run`. */
export const runCommand: CommandSpec = {
  words: ["run"],
  summary: "run a topology until SIGINT or SIGTERM",
  arguments: [{ name: "path", summary: "the topology file, as --topology", isOptional: true }],
  flags: [
    ...topologyFlags,
    {
      name: "transport",
      value: "type",
      summary:
        "use another transport than the file says; default of a worker whose file names none: zmq",
      choices: ["in_process", "zmq", "nats"],
    },
    {
      name: "process",
      short: "p",
      value: "name",
      summary:
        "run only the agents of this process group, as a worker; needs transport zmq or nats",
    },
    {
      name: "worker",
      value: "url",
      summary:
        "be a worker of the supervisor at this broker (nats://host:4222, or tcp://host:5559 of zmq), and take the tree from it; in the project folder",
    },
    {
      name: "spawn-workers",
      value: "count",
      isValueOptional: true,
      summary:
        "start a worker for each process group on this machine, start it again when it ends, and stop all together; =4 or =heavy=4 starts several of groups with pools or keyed agents",
    },
    {
      name: "nats-url",
      value: "url",
      summary: "NATS server, with transport nats; goes before `transport.servers`",
    },
    {
      name: "exit-on-degraded",
      summary:
        "stop with exit code 70 when the root is out of restart budget, so that others restart the process",
    },
    {
      name: "watch",
      summary: "run the tree again when the topology or a module of its folder changes",
    },
    {
      name: "record",
      value: "file",
      summary:
        "write down what models and tools answer, for `agentrt sim --models`; messages are in it as they are, keys are not",
    },
    {
      name: "crashes",
      value: "folder",
      summary:
        "where a crash of an agent is recorded, for `agentrt crash show`: without secrets; none for nowhere; default $AGENTRT_CRASHES, else agentrt_crashes next to the topology",
    },
    {
      name: "log-format",
      value: "format",
      summary: `how the log on stderr is written: ${logFormats.join(" or ")}; default $AGENTRT_LOG_FORMAT, else text`,
    },
    {
      name: "log-level",
      value: "level",
      summary: `least level that is logged: ${logLevels.join(", ")}; default $AGENTRT_LOG_LEVEL, else info`,
    },
  ],
  examples: [
    ["agentrt run", "runs ./topology.yaml until Ctrl+C; a second Ctrl+C does not wait"],
    ["agentrt run demo/topology.yaml", "runs another file; class paths count from its folder"],
    [
      "agentrt run -t base.yaml -t production.yaml --substitute-env --env-from .env",
      "runs a file with another one laid over it, and with variables put in",
    ],
    [
      "agentrt run --process back --nats-url nats://10.0.0.5:4222",
      "runs the agents with `process: back` for a supervisor that runs elsewhere",
    ],
    [
      "agentrt run --worker nats://10.0.0.5:4222",
      "the same without a topology file: the tree comes from the supervisor; with several process groups --process says which",
    ],
    [
      "agentrt run --spawn-workers",
      "runs the supervisor and all of its workers on this machine; their lines begin with their name",
    ],
    [
      "agentrt run --spawn-workers=4",
      "the same with four workers of each process group that has pools or keyed agents",
    ],
    [
      "agentrt run --watch",
      "runs the tree again after each change; one that cannot be used leaves the old tree running",
    ],
    [
      "agentrt run --exit-on-degraded",
      "for systemd, Kubernetes and the like, which start the process again",
    ],
    [
      "agentrt run --log-format json --log-level debug",
      "logs one JSON object a line, for a program that collects them",
    ],
  ],
  run: async (input, io) => {
    const settings = readLogSettings(input, io.environment);
    if (input.isSet("watch")) return await watchTree(watchedRun(input), io);
    const [
      { renderTopology, formatProblem },
      { nodeKinds, secretVariables },
      { maskVariables, runtimeOf },
    ] = await Promise.all([
      import("../../topology/index.ts"),
      import("../../node-kinds/index.ts"),
      import("../../composition/index.ts"),
    ]);
    const { all, isSubstituted } = readEnvironment(input, io);
    io.addVariables(all);
    const source = await sourceOf(input, io, settings);
    const { read, reading } = source;
    const { topology, mask } = read;
    const workers = input.isSet("spawn-workers")
      ? await spawnedWorkers(input, topology)
      : undefined;
    for (const note of read.notes) io.tell(`note: ${formatProblem(note)}`);
    const secretNames = new Set(secretVariables(topology));
    const known = createRedactor(io.environment, { secretNames });
    const redactor = maskVariables(known, read.variables);
    const log = openLog(settings, redactor);
    io.endAtReturn();
    const stray = Promise.withResolvers<RunEnd>();
    const crashes = await crashRecorderOf(input, { io, source, log, redactor, secretNames });
    const recorder = await recorderOf(input.text("record"), crashes);
    const processes = processesOf(source, input, (error) => {
      log.error("this worker is refused", { error });
      stray.resolve({ kind: "fault" });
    });
    const lead = await Lead.of(topology, { log, path: source.path, ...processes });
    const runtime = await whileLoading(
      io,
      async () =>
        await runtimeOf(topology, source.path, {
          log,
          redactor,
          environment: isSubstituted ? all : undefined,
          variables: read.variables,
          secretNames,
          onListening: ({ node, host, url }) => {
            const reach = everyHost.has(host) ? " and on every other address of this machine" : "";
            io.print(mask(`${node} listens on ${url}${reach}\n`));
            // Of a log for people it would be the second such line.
            if (settings.format === "json") log.info("listening", { agent: node, url });
          },
          ...recorder,
          files: read.parts,
          reading,
          processes: { ...processes, term: lead.term },
          wrapState: (store) => lead.guard(store),
          onStray: () => stray.resolve({ kind: "fault" }),
        }),
    );
    crashes.follow((traceId) => runtime.spansOf(traceId));
    io.print(mask(renderTopology(topology, { kinds: nodeKinds, lineCountMax: treeLineCountMax })));
    io.outliveOutput();
    return await serve(runtime, {
      io,
      log,
      settings,
      stray: stray.promise,
      spawned: workers,
      lead,
      watchedRoot: input.isSet("exit-on-degraded") ? topology.supervision.name : undefined,
    });
  },
};

/** What is run, and who says so. */
interface RunSource {
  readonly read: LoadedTopology;
  /** What goes for the transport of later files, too. */
  readonly reading: { readonly transport?: string | undefined; readonly transportDefault?: string };
  /** Class paths count from the folder of this file. */
  readonly path: string;
  /** Name of a worker's process group. */
  readonly process: string | undefined;
  readonly natsServers?: readonly string[] | undefined;
}

/** The topology of the command line, or that of the supervisor which `--worker` names. */
async function sourceOf(
  input: CommandInput,
  io: CommandIo,
  settings: LogSettings,
): Promise<RunSource> {
  const joined = await joinOf(input, io, openLog(settings, createRedactor(io.environment)));
  if (joined !== undefined)
    return { ...joined, reading: { transport: joined.read.topology.transport.type } };
  const paths = topologyPaths(input, "path");
  const process = input.text("process");
  const url = input.text("nats-url");
  const transport = input.text("transport");
  const reading = { transport, ...(process === undefined ? {} : { transportDefault: "zmq" }) };
  const read = await loadTopology({ paths, input, io, ...reading });
  const natsServers = url === undefined ? undefined : [url];
  return { read, reading, path: paths[0], process, natsServers };
}

/**
 * What writes down the answers of models and tools; nothing does unless it is asked for. What records crashes knows which there
 * are.
 */
async function recorderOf(
  file: string | undefined,
  crashes: RunCrashes,
): Promise<Pick<FromTopologyOptions, "wrapModels" | "wrapTools" | "crashTrails">> {
  const noted = { crashTrails: crashes.trails, ...crashes.wraps };
  if (file === undefined) return noted;
  const { recordModels, recordTools } = await import("../../testing/index.ts");
  const write = openRecording(file);
  return {
    ...noted,
    wrapModels: (models) => recordModels(crashes.wraps.wrapModels(models), write),
    wrapTools: (sources) => recordTools(crashes.wraps.wrapTools(sources), write),
  };
}

/** What records crashes, or only takes secrets out of what is shown of them. */
async function crashRecorderOf(
  input: CommandInput,
  run: {
    readonly io: CommandIo;
    readonly source: RunSource;
    readonly log: Log;
    readonly redactor: Redactor;
    readonly secretNames: ReadonlySet<string>;
  },
): Promise<RunCrashes> {
  const { io, source, log, redactor, secretNames } = run;
  const { read } = source;
  const asked = input.text("crashes") ?? io.environment["AGENTRT_CRASHES"];
  const { isSubstituted } = readEnvironment(input, io);
  return await openRunCrashes({
    folder: asked === undefined || asked === "" ? undefined : asked,
    path: source.path,
    sources: (read.parts ?? [{ fileName: source.path }]).map(({ fileName }) => fileName),
    root: read.topology.supervision.name,
    paths: input.text("worker") === undefined ? topologyPaths(input, "path") : undefined,
    moreWords: [
      ...(isSubstituted ? ["--substitute-env"] : []),
      ...input.texts("env-from").flatMap((file) => ["--env-from", file]),
    ],
    environment: io.environment,
    secretNames,
    redactor,
    log,
  });
}

/** How a runtime is served. */
interface Serving {
  readonly io: CommandIo;
  readonly log: Log;
  readonly settings: LogSettings;
  /** Settles when code outside of any agent fails. */
  readonly stray: Promise<RunEnd>;
  /** Workers that this process starts; undefined for none. */
  readonly spawned: readonly SpawnedName[] | undefined;
  readonly lead: Lead;
  /** The root whose giving up ends the run. */
  readonly watchedRoot: string | undefined;
}

/** Runs a tree until something ends it. */
async function serve(runtime: Runtime, serving: Serving): Promise<number> {
  const { io, log, settings, watchedRoot, stray, spawned, lead } = serving;
  const lines = new RunLines(io, log, settings);
  const workers = spawned === undefined ? undefined : workersOf(spawned, lines, settings);
  const stopSignal = waitForStopSignal(io.environment, () => {
    if (runtime.status !== "started") return;
    lines.info("SIGHUP: opening certificates, keys and logs again", { signal: "SIGHUP" });
    void runtime.reopen();
    workers?.hangUp();
  });
  const watches = watchRun(runtime, { log, lines, settings, environment: io.environment });
  void stopSignal.promise.then((signal) => lines.info(`${signal}: stopping`, { signal }));
  const left = endOfOwner(io.environment);
  void left.then(() => lines.info("the process that started this worker is gone: stopping"));
  const signalled = Promise.race([stopSignal.promise, left]).then((): RunEnd => ({
    kind: "signal",
  }));
  const ends = [signalled, stray];
  if (watchedRoot !== undefined) ends.push(giveUpOf(runtime, watchedRoot));
  try {
    const begun = lead.start(runtime);
    let end = (await Promise.race([begun, ...ends])) ?? { kind: "signal" as const };
    if (runtime.status === "started" && end.kind === "signal") {
      io.print(`\nstarted; Ctrl+C stops\n`);
      workers?.start();
      watches.start.end();
      end = await Promise.race(ends);
    }
    if (end.kind === "degraded")
      lines.warn(`"${end.child}" is out of restart budget: stopping`, { child: end.child });
    const { failed } = runtime.health();
    return tellStop(lines, { report: await runtime.stop(), failed, end });
  } finally {
    await lead.release();
    await workers?.stop();
    watches.start.end();
    await watches.loop?.end();
    stopSignal.release();
    tellLeftBehind(log);
  }
}

/** The same command line without --watch runs the tree; the check takes what is about the topology. */
function watchedRun(input: CommandInput): WatchedRun {
  const paths = topologyPaths(input, "path");
  const files = input.texts("env-from");
  return {
    files: [...paths, ...files],
    folder: dirname(paths[0]),
    runWords: process.argv.slice(2).filter((word) => word !== "--watch"),
    checkWords: ["topology", "validate", "--load", ...topologyWords(input, paths)],
  };
}

function watchRun(
  runtime: Runtime,
  run: {
    readonly log: Log;
    readonly lines: RunLines;
    readonly settings: LogSettings;
    readonly environment: CommandIo["environment"];
  },
): { readonly start: StartWatch; readonly loop: LoopWatch | undefined } {
  const { system } = runtime;
  const start = new StartWatch(system, run.lines, () => runtime.startingAgents());
  if (isDebugged()) return { start, loop: undefined };
  const loop = new LoopWatch({
    system,
    // The lines about it are kept for operators, too.
    log: runtime.log,
    isJson: run.settings.format === "json",
    atWork: () => runtime.atWork(),
    launcherPid: launcherPidOf(run.environment),
  });
  return { start, loop };
}

/** A tree that was degraded, or an agent that had to be abandoned, makes the exit code 1. */
function tellStop(
  lines: RunLines,
  end: { readonly report: StopReport; readonly failed: readonly string[]; readonly end: RunEnd },
): number {
  const { failed } = end;
  const { lateNames } = end.report;
  if (failed.length > 0)
    lines.warn(`out of restart budget and down at the end: ${failed.join(", ")}`, { failed });
  if (lateNames.length > 0)
    lines.warn(`did not stop in time and were abandoned: ${lateNames.join(", ")}`, { lateNames });
  const isClean = failed.length === 0 && lateNames.length === 0;
  const exitCode =
    end.end.kind === "degraded" ? degradedExitCode : isClean && end.end.kind === "signal" ? 0 : 1;
  lines.info("stopped", { exitCode });
  return exitCode;
}

function workersOf(
  workers: readonly SpawnedName[],
  lines: RunLines,
  { format }: LogSettings,
): SpawnedWorkers {
  const words = process.argv.slice(2).filter((word) => !/^--spawn-workers(?:=|$)/.test(word));
  return new SpawnedWorkers({
    workers,
    wordsOf: (group) => [...words, "--process", group],
    lines,
    isJson: format === "json",
  });
}

/** The workers of a topology that runs in several processes. */
async function spawnedWorkers(
  input: CommandInput,
  topology: Topology,
): Promise<readonly SpawnedName[]> {
  const flag = "--spawn-workers";
  const { type: transport } = topology.transport;
  if (input.text("process") !== undefined)
    throw new cliErrors.NOT_TOGETHER({ flag, other: "--process" });
  if (transport === "in_process")
    throw new cliErrors.NEEDS_TRANSPORT({ flag, wanted: "zmq or nats", transport });
  const { sharedGroupsOf } = await import("../../composition/index.ts");
  const groups = processGroups(topology);
  return readSpawnCounts(input.text("spawn-workers"), groups, sharedGroupsOf(topology));
}

/** Which of the processes of the topology this is. */
function processesOf(
  { read, process: name, natsServers }: RunSource,
  input: CommandInput,
  onRefused: (error: Error) => void,
): ProcessOptions {
  const transport = read.topology.transport.type;
  const url = input.text("nats-url");
  if (name !== undefined && transport === "in_process")
    throw new cliErrors.NEEDS_TRANSPORT({ flag: "--process", wanted: "zmq or nats", transport });
  if (url !== undefined && transport !== "nats")
    throw new cliErrors.NEEDS_TRANSPORT({ flag: "--nats-url", wanted: "nats", transport });
  return { process: name, natsServers, onRefused };
}
