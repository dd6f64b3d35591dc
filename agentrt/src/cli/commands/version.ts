import { type CommandSpec, jsonFlag } from "../command.ts";
import { readVersion } from "../read-version.ts";

/** `agentrt version`. */
export const versionCommand: CommandSpec = {
  words: ["version"],
  summary: "print the installed version",
  flags: [jsonFlag],
  examples: [["agentrt version", "prints, for example, agentrt 0.1.0"]],
  run: async (input, io) => {
    const version = readVersion();
    io.print(
      input.isSet("json")
        ? `${JSON.stringify({ name: "agentrt", version })}\n`
        : `agentrt ${version}\n`,
    );
    return 0;
  },
};
