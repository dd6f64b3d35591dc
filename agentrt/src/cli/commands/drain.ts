import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt drain`. */
export const drainCommand: CommandSpec = {
  words: ["drain"],
  summary: "let an agent of a running topology finish what it has and take nothing new",
  arguments: [agentArgument],
  flags: controlFlags,
  examples: [
    ["agentrt drain desk", "refuses new messages to it, and suspends it when none is left"],
    ["agentrt resume desk", "lets it take messages again, also before it has finished"],
  ],
  run: async (input, io) => await operate({ act: "drain", done: "drained", body: {} }, input, io),
};
