import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt restart`. */
export const restartCommand: CommandSpec = {
  words: ["restart"],
  summary: "restart an agent of a running topology behind the message at hand",
  arguments: [agentArgument],
  flags: [{ name: "reason", value: "text", summary: "what for" }, ...controlFlags],
  examples: [
    ["agentrt restart desk", "restarts the agent of ./topology.yaml; it costs no restart budget"],
    ["agentrt restart desk -t demo/topology.yaml --json", "the same for a script"],
  ],
  run: async (input, io) => {
    const reason = input.text("reason");
    const body = reason === undefined ? {} : { reason };
    return await operate({ act: "restart", done: "restarted", body }, input, io);
  },
};
