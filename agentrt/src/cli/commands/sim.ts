import { type CommandSpec, jsonFlag } from "../command.ts";
import { loadTopology, readEnvironment, topologyFlags } from "../topologies/index.ts";

/** `agentrt sim`. */
export const simCommand: CommandSpec = {
  words: ["sim"],
  summary: "run a topology under virtual time and seeded faults, and look for broken invariants",
  arguments: [{ name: "path", summary: "the topology file, as --topology", isOptional: true }],
  flags: [
    ...topologyFlags,
    { name: "seed", value: "number", summary: "seed of the first run", default: "1" },
    { name: "runs", value: "count", summary: "runs, each with the next seed", default: "100" },
    {
      name: "duration",
      value: "seconds",
      summary: "virtual time of one run, without its start and stop",
      default: "30",
    },
    {
      name: "steps",
      value: "count",
      summary: "timers and messages of one run at most",
      default: "5000",
    },
    {
      name: "workload",
      value: "module#name",
      summary: "function that asks the tree for work; default: {} to every agent",
    },
    {
      name: "invariants",
      value: "module#name",
      summary: "function that returns your own invariants, as a list",
    },
    {
      name: "models",
      value: "file",
      summary:
        "who answers in place of models: module#name of a function that returns providers, or a recording (.jsonl); default: by chance",
    },
    {
      name: "tools",
      value: "module#name",
      summary: "function that returns tool sources; with a recording in --models, its tools",
    },
    {
      name: "faults",
      value: "kinds",
      summary: "only these kinds of faults, with commas between them, or none; default: by chance",
    },
    {
      name: "messages",
      value: "count",
      summary: "messages of the default workload at most; default: by chance",
    },
    { name: "calm", summary: "only delays and reordering, no faults" },
    { name: "trace", summary: "print the event log of the run that fails, or of a single run" },
    {
      name: "jobs",
      value: "count",
      summary: "processes that share the runs",
      default: "1",
    },
    {
      name: "crash",
      value: "file",
      summary:
        "replay the crash of this record, as `agentrt crash show` prints it, and nothing else; exit code 0 where it is the same",
    },
    jsonFlag,
  ],
  examples: [
    ["agentrt sim topology.yaml --runs 1000", "tries a thousand seeds, up to the first that fails"],
    [
      "agentrt sim topology.yaml --seed 1234 --runs 1 --trace",
      "repeats one run and prints what happened in it",
    ],
    [
      "agentrt sim topology.yaml --workload ./workload.ts#orders --invariants ./invariants.ts#orders",
      "asks for your own work and checks your own promises",
    ],
    [
      "agentrt sim topology.yaml --models ./models.ts#scripted",
      "answers what agents ask of models by your own script",
    ],
    [
      "agentrt sim topology.yaml --crash agentrt_crashes/mi9y4kq2-3f9a.json",
      "replays a crash that `agentrt run` has recorded",
    ],
    [
      "agentrt sim -t base.yaml -t production.yaml --substitute-env --env-from .env",
      "simulates a file with another one laid over it, and with variables put in",
    ],
  ],
  run: async (input, io) => {
    const { readSimulationRequest, runCrash, runSimulation } =
      await import("../simulation/index.ts");
    const request = readSimulationRequest(input);
    io.addVariables(readEnvironment(input, io).all);
    const read = await loadTopology({ paths: request.paths, input, io });
    const file = input.text("crash");
    if (file !== undefined)
      return await runCrash({ file, path: request.paths[0], isJson: request.isJson }, read, io);
    return await runSimulation(request, read, io);
  },
};
