import type { CommandDescription } from "../commands/index.ts";

/** The row of `batch` for `--help` and argument parsing; it reads a stream and so is not a command of the table. */
export const batchDescription: CommandDescription = {
  name: "batch",
  summary: "run commands from lines of JSON on standard input",
  examples: [
    {
      commandLine: `printf '{"cmd":"read","file":"a.ts","id":"1"}\\n' | codetool batch`,
      remark: "one envelope a line, in the order of the input, the id echoed",
    },
    {
      commandLine: `printf '{"cmd":"find","cwd":"packages/web"}\\n' | codetool batch`,
      remark: "its paths begin in packages/web",
    },
    {
      commandLine: "codetool batch --budget 500 < requests.jsonl",
      remark: "a budget for each line that gives none",
    },
  ],
  positionals: [],
  flags: [],
};
