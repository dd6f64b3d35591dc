import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt resume`. */
export const resumeCommand: CommandSpec = {
  words: ["resume"],
  summary: "let a suspended agent of a running topology go on",
  arguments: [agentArgument],
  flags: controlFlags,
  examples: [
    ["agentrt resume desk", "lets the agent of ./topology.yaml go on"],
    [
      'agentrt resume desk -t demo/topology.yaml -H "Authorization: Bearer $TOKEN"',
      "the same where the control plane asks who it is",
    ],
  ],
  run: async (input, io) => await operate({ act: "resume", done: "resumed", body: {} }, input, io),
};
