import { readFileSync } from "node:fs";
import { type CommandSpec, jsonFlag } from "../command.ts";

/**
 * Reads the version of this package.
 *
 * @returns For example `0.1.0`.
 */
export function readVersion(): string {
  // The same two levels up from `src/cli` and from `dist/cli`.
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

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
