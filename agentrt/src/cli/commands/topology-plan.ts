import type { CommandSpec } from "../command.ts";
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
  ],
  run: async (input, io) => {
    const { ask, printJson, renderPlan } = await openChange("plan", input, io);
    const { body, isPlan } = await ask("/plan");
    if (input.isSet("json") || !isPlan(body)) printJson(body);
    else io.print(renderPlan(body, "would"));
    if (!input.isSet("exit-code") || !isPlan(body)) return 0;
    return body.changes || body.needs_restart.length > 0 ? 1 : 0;
  },
};
