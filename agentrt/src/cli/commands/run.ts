import { type Log, logLevels } from "../../core/index.ts";
import type { Runtime, StopReport } from "../../runtime/index.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import {
  createRunRedactor,
  isDebugged,
  launcherPidOf,
  type LogSettings,
  logFormats,
  LoopWatch,
  openLog,
  readLogSettings,
  RunLines,
  StartWatch,
  tellLeftBehind,
  waitForStopSignal,
} from "../running/index.ts";
import {
  loadTopology,
  readEnvironment,
  topologyFlags,
  topologyPaths,
} from "../topologies/index.ts";

/** `agentrt run`. */
export const runCommand: CommandSpec = {
  words: ["run"],
  summary: "run a topology until SIGINT, SIGTERM or SIGHUP",
  arguments: [{ name: "path", summary: "the topology file, as --topology", isOptional: true }],
  flags: [
    ...topologyFlags,
    {
      name: "transport",
      value: "type",
      summary: "use another transport than the file says; this version serves in_process",
      choices: ["in_process", "zmq", "nats"],
    },
    {
      name: "process",
      short: "p",
      value: "name",
      summary: "run only the agents of one worker process; this version refuses it",
    },
    {
      name: "nats-url",
      value: "url",
      summary: "NATS server, with transport nats; this version refuses it",
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
      "agentrt run -t base.yaml -t production.yaml --substitute-env --env-file .env",
      "runs a file with another one laid over it, and with variables put in",
    ],
    [
      "agentrt run --log-format json --log-level debug",
      "logs one JSON object a line, for a program that collects them",
    ],
  ],
  run: async (input, io) => {
    refuseUnservedFlags({
      transport: input.text("transport"),
      process: input.text("process"),
      natsUrl: input.text("nats-url"),
    });
    const settings = readLogSettings(input, io.environment);
    const [{ renderTopology, formatProblem }, { nodeKinds }, { runtimeOf }] = await Promise.all([
      import("../../topology/index.ts"),
      import("../../node-kinds/index.ts"),
      import("../../composition/index.ts"),
    ]);
    io.addVariables(readEnvironment(input, io).all);
    const paths = topologyPaths(input, "path");
    const transport = input.text("transport");
    const { topology, notes, mask, variables } = await loadTopology({
      paths,
      input,
      io,
      transport,
    });
    for (const note of notes) io.tell(`note: ${formatProblem(note)}`);
    const redactor = createRunRedactor(io.environment, variables);
    const log = openLog(settings, redactor);
    io.endAtReturn();
    const runtime = await runtimeOf(topology, paths[0], {
      log,
      redactor,
      onListening: ({ node, url }) => io.print(mask(`${node} listens on ${url}\n`)),
    });
    const lines = new RunLines(io, log, settings);
    const stopSignal = waitForStopSignal(io.environment);
    const watches = watchRun(runtime, { log, lines, settings, environment: io.environment });
    io.print(mask(renderTopology(topology, { kinds: nodeKinds })));
    io.outliveOutput();
    void stopSignal.promise.then((signal) => lines.info(`${signal}: stopping`, { signal }));
    try {
      await Promise.race([runtime.start(), stopSignal.promise]);
      if (runtime.status === "started") {
        io.print(`\nstarted; Ctrl+C stops\n`);
        watches.start.end();
        await stopSignal.promise;
      }
      const { failed } = runtime.health();
      return tellStop(lines, { report: await runtime.stop(), failed });
    } finally {
      watches.start.end();
      await watches.loop?.end();
      stopSignal.release();
      tellLeftBehind(log);
    }
  },
};

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
    log: run.log,
    isJson: run.settings.format === "json",
    atWork: () => runtime.atWork(),
    launcherPid: launcherPidOf(run.environment),
  });
  return { start, loop };
}

/** A tree that was degraded, or an agent that had to be abandoned, makes the exit code 1. */
function tellStop(
  lines: RunLines,
  end: { readonly report: StopReport; readonly failed: readonly string[] },
): number {
  const { failed } = end;
  const { lateNames } = end.report;
  if (failed.length > 0)
    lines.warn(`out of restart budget and down at the end: ${failed.join(", ")}`, { failed });
  if (lateNames.length > 0)
    lines.warn(`did not stop in time and were abandoned: ${lateNames.join(", ")}`, { lateNames });
  const exitCode = failed.length > 0 || lateNames.length > 0 ? 1 : 0;
  lines.info("stopped", { exitCode });
  return exitCode;
}

/** Flags that are known but not served yet are refused, never ignored. */
function refuseUnservedFlags(flags: {
  readonly transport: string | undefined;
  readonly process: string | undefined;
  readonly natsUrl: string | undefined;
}): void {
  if (flags.transport !== undefined && flags.transport !== "in_process") {
    throw new cliErrors.FLAG_NOT_SERVED({ flag: `--transport ${flags.transport}` });
  }
  if (flags.process !== undefined) throw new cliErrors.FLAG_NOT_SERVED({ flag: "--process" });
  if (flags.natsUrl !== undefined) throw new cliErrors.FLAG_NOT_SERVED({ flag: "--nats-url" });
}
