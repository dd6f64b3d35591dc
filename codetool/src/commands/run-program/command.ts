import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool run`: a build, test or lint command, and what its output comes to. */
export const runProgramCommand: CommandDefinition = {
  name: "run",
  summary: "run a build, test or lint command, and tell what failed instead of all it prints",
  examples: [
    { commandLine: "codetool run pytest -q", remark: "counts, and each failure in full" },
    {
      commandLine: "codetool run --timeout 60 npm test",
      remark: "ended after a minute, with what it had",
    },
    {
      commandLine: "codetool run --auto-json npx eslint src",
      remark: "by the tool's own JSON, where it can print some",
    },
    { commandLine: "codetool run --budget 500 -- make -j4", remark: "as many findings as fit" },
  ],
  positionals: [
    {
      name: "command",
      isRequired: true,
      isVariadic: true,
      takesRest: true,
      summary: "the program and its arguments, run as they are, without a shell",
    },
  ],
  flags: [
    { name: "raw", kind: "boolean", summary: "the output as it is, unparsed" },
    { name: "full", kind: "boolean", summary: "the whole output beside what was read of it" },
    {
      name: "auto_json",
      kind: "boolean",
      summary: "add the tool's own flag for JSON, where it has one",
    },
    {
      name: "timeout",
      kind: "integer",
      placeholder: "SECONDS",
      minimum: 1,
      maximum: 86_400,
      summary: "end it and all it started after this long (default 300)",
    },
  ],
  isBatchable: true,
  isLocalOnly: true,
  run: async (input, context) => {
    const { runTool } = await import("./run.ts");
    return await runTool(input, context);
  },
  renderPlain,
};

interface PlainRunData {
  readonly exit_code?: number;
  readonly tool?: string;
  readonly summary?: string;
  readonly failures?: readonly PlainFinding[];
  readonly warnings?: readonly PlainFinding[];
  readonly tail?: string;
  readonly raw?: string;
}

interface PlainFinding {
  readonly name: string;
  readonly location: string | null;
  readonly message: string;
}

function renderPlain(data: CommandResult["data"]): string {
  const {
    exit_code: exitCode = 0,
    tool = "unknown",
    summary = "",
    failures = [],
    warnings = [],
    ...rest
  } = data as PlainRunData;
  const heading = `${tool}: ${summary}${exitCode === 0 ? "" : ` (exit ${exitCode})`}`;
  const show = (kind: string, { name, location, message }: PlainFinding): string =>
    `${kind} ${name}${location === null ? "" : ` (${location})`}\n${message.replaceAll(/^(?=.)/gm, "  ")}`;
  const tail = rest.raw ?? rest.tail;
  return [
    heading,
    ...failures.map((finding) => show("FAIL", finding)),
    ...warnings.map((finding) => show("WARN", finding)),
    ...(tail === undefined || tail === "" ? [] : [tail.replace(/\n$/, "")]),
    "",
  ].join("\n");
}
