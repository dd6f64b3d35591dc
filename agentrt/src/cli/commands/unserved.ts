import type { CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";

const summary = (text: string): string => `${text} (this version does not serve it yet)`;

/** Commands that are known and that this version does not serve: they say so, whatever they are given. */
const known: readonly Omit<CommandSpec, "run">[] = [
  {
    words: ["telemetry"],
    summary: summary("look through recorded spans in the terminal"),
    arguments: [{ name: "db_dir", summary: "the telemetry directory", isOptional: true }],
    flags: [
      { name: "since", value: "range", summary: "1h, 24h, 7d, 30d or a date" },
      { name: "window-days", value: "n", summary: "days that are kept" },
      { name: "refresh", short: "r", value: "seconds", summary: "interval between two queries" },
    ],
    examples: [["agentrt run --log-level debug", "logs what happens while the tree runs"]],
  },
];

/** The commands that this version does not serve. */
export const unservedCommands: readonly CommandSpec[] = known.map((spec) => ({
  ...spec,
  run: async () => {
    throw new cliErrors.COMMAND_NOT_SERVED({ command: spec.words.join(" ") });
  },
}));
