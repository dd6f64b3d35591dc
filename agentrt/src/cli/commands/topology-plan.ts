import { printable } from "../../core/index.ts";
import type { CommandInput, CommandSpec } from "../command.ts";
import type { LivePlanBody } from "../remote/index.ts";
import { changeFlags, fileArgument, openChange } from "./topology-change.ts";

/** `agentrt topology plan`. */
export const topologyPlanCommand: CommandSpec = {
  words: ["topology", "plan"],
  summary: "tell what a topology file would change in the tree that runs",
  arguments: [fileArgument],
  flags: [
    ...changeFlags,
    {
      name: "exit-code",
      summary: "exit with 1 when something would change or needs a restart, with 0 when not",
    },
    {
      name: "detailed-exit-code",
      summary:
        "exit with 0 when nothing would change, 3 when apply can do it, 4 when it needs a restart of the process",
    },
  ],
  examples: [
    [
      "agentrt topology plan topology.yaml",
      "lists what would stop, start, restart, move or change, with the work that is under way there",
    ],
    [
      "agentrt topology plan next.yaml --running topology.yaml --exit-code",
      "asks the control plane of another file, and exits with 1 when they differ",
    ],
    [
      "agentrt topology plan topology.yaml --detailed-exit-code",
      "for a script: 1 and 2 are errors, 3 can be applied, 4 needs a restart of the process",
    ],
  ],
  run: async (input, io) => {
    const { ask, printJson, renderPlan } = await openChange("plan", input, io);
    const { body, isPlan } = await ask("/plan");
    if (input.isSet("json") || !isPlan(body)) printJson(body);
    else {
      io.print(renderPlan(body, "would"));
      if (body.changes && body.needs_restart.length === 0)
        io.print(`Nothing was changed: this applies it: ${applyWords(input)}\n`);
    }
    return isPlan(body) ? exitCodeOf(body, input) : 0;
  },
};

/** A failure is 1 and a wrong command line 2, so a script tells them apart from these only by the detailed ones. */
const detailed = { same: 0, applicable: 3, needsRestart: 4 } as const;

function exitCodeOf(plan: LivePlanBody, input: CommandInput): number {
  const needsRestart = plan.needs_restart.length > 0;
  if (input.isSet("detailed-exit-code")) {
    if (needsRestart) return detailed.needsRestart;
    return plan.changes ? detailed.applicable : detailed.same;
  }
  return input.isSet("exit-code") && (plan.changes || needsRestart) ? 1 : 0;
}

/** The command that does what the plan says. */
function applyWords(input: CommandInput): string {
  const over = input.texts("topology").flatMap((path) => ["-t", path]);
  const running = input.text("running");
  const words = [
    input.argument("file"),
    ...over,
    ...(running === undefined ? [] : ["--running", running]),
  ];
  return printable(`agentrt topology apply ${words.join(" ")}`);
}
