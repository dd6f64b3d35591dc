import type { CommandSpec } from "../command.ts";
import { topologyFlags } from "../topologies/index.ts";

const shells = ["bash", "zsh", "fish"] as const;

/**
 * Makes `agentrt completion`, which prints a shell's completion script for a table of commands.
 *
 * @param readCommands Gives the whole table, this command among them.
 * @returns The command.
 */
export function createCompletionCommand(readCommands: () => readonly CommandSpec[]): CommandSpec {
  return {
    words: ["completion"],
    summary: "print the completion script of a shell",
    arguments: [
      {
        name: "shell",
        summary: "bash, zsh or fish; agents: the names of agents, which those scripts ask for",
        choices: [...shells, "agents"],
      },
    ],
    flags: topologyFlags,
    examples: [
      ['eval "$(agentrt completion bash)"', "completes agentrt in this bash"],
      ["agentrt completion fish | source", "completes agentrt in this fish"],
    ],
    run: async (input, io) => {
      if (input.argument("shell") === "agents") {
        const { knownAgentNames } = await import("../watching/index.ts");
        for (const name of await knownAgentNames(input, io)) io.print(`${name}\n`);
        return 0;
      }
      const { completionScript } = await import("../completion-scripts.ts");
      const shell = shells.find((known) => known === input.argument("shell"));
      if (shell !== undefined) io.print(completionScript(shell, readCommands()));
      return 0;
    },
  };
}
