import { defineCommand } from "../define-command.ts";
import type { FoldedFinding } from "../../reports/index.ts";
import { runProgramInput } from "./input.ts";
import type { RunProgramPayload } from "./payload.ts";

/** `codetool run`: runs a build, test or lint command and summarises its output. */
export const runProgramCommand = defineCommand({
  name: "run",
  summary: "run a build, test or lint command, and show what failed instead of all its output",
  examples: [
    { commandLine: "codetool run pytest -q", remark: "counts, and each failure in full" },
    {
      commandLine: "codetool run --timeout 60 npm test",
      remark: "ended after a minute; the answer has the output until then",
    },
    {
      commandLine: "codetool run --exit-code npm test && git commit -am done",
      remark: "goes on only when the command went well",
    },
    {
      commandLine: "codetool run --auto-json npx eslint src",
      remark: "reads the tool's own JSON, if it can print JSON",
    },
    { commandLine: "codetool run --budget 500 -- make -j4", remark: "as many findings as fit" },
  ],
  ...runProgramInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).runProgramAnswer,
  run: async (input, context) => {
    const { runProgramReport } = await import("./run.ts");
    return await runProgramReport(input, context);
  },
  renderPlain,
});

function renderPlain(payload: RunProgramPayload): string {
  const { exit_code: exitCode, tool, summary, failures, warnings } = payload;
  const heading = `${tool}: ${summary}${exitCode === 0 ? "" : ` (exit ${exitCode})`}`;
  const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");
  const show = (kind: string, { name, location, message, twins = [] }: FoldedFinding): string =>
    [
      `${kind} ${name}${location === null ? "" : ` (${location})`}\n${indented(message)}`,
      ...twins.map(({ name: twin, differs }) => `  also ${twin}\n${indented(indented(differs))}`),
    ].join("\n");
  const tail = payload.raw ?? payload.tail;
  return [
    heading,
    ...failures.map((finding) => show("FAIL", finding)),
    ...warnings.map((finding) => show("WARN", finding)),
    ...(tail === undefined || tail === "" ? [] : [tail.replace(/\n$/, "")]),
    "",
  ].join("\n");
}
