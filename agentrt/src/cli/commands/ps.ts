import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { drawRows, openControl, printJson, readOverview, troubleText } from "../watching/index.ts";

/** `agentrt ps`. */
export const psCommand: CommandSpec = {
  words: ["ps"],
  summary: "list the agents of a running topology: what they handle, and what waits",
  flags: [...controlFlags],
  examples: [
    [
      "agentrt ps",
      "lists the agents of ./topology.yaml with status, restarts, mailbox, message at hand",
    ],
    ["agentrt ps --json", "the same for a script, as GET /overview gives it"],
  ],
  run: async (input, io) => {
    const reader = await openControl(input, io);
    const body = await reader.ask("/overview");
    if (input.isSet("json")) printJson(io, body);
    else {
      const [health, processes] = [await reader.ask("/health"), await reader.ask("/processes")];
      const trouble = troubleText({ overview: body, health, processes }, io.style);
      io.print(`${drawRows(readOverview(body), io.style)}${trouble === "" ? "" : `\n${trouble}`}`);
    }
    return 0;
  },
};
