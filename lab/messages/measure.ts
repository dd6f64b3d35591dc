/**
 * `npm run bench:search -- --messages --sources=<folder> [--repository=<owner/name>]… [--launcher=<file>] [--flags=<JSON>]`:
 * asks codetool for the printed messages of this folder and counts how often the line that prints one is shown first, and
 * among the first three, in Markdown.
 *
 * `<folder>` holds the repositories at their commits as `<owner>+<name>`; their indexes are made inside of them. `--launcher`
 * is another codetool to ask; `--flags` are flags of `codetool search`, such as `{"mode":"bm25"}`.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Answered, askCodetool, indexFolder } from "../labels/judging/ask-codetool.ts";
import { isShown } from "../labels/judging/score-answer.ts";
import { type LabelFile, type LabelledQuestion, plusName } from "../labels/label-file.ts";
import { readLabelFiles } from "../labels/read-labels.ts";

/** A message and what was answered. */
interface AskedMessage {
  readonly question: LabelledQuestion;
  readonly answered: Answered;
  /** The place among those answered that shows a line of the label, the first being 1; `undefined` where none does. */
  readonly rank: number | undefined;
}

const { values } = parseArgs({
  options: {
    sources: { type: "string" },
    repository: { type: "string", multiple: true, default: [] },
    launcher: {
      type: "string",
      default: fileURLToPath(new URL("../../codetool/bin/codetool.cjs", import.meta.url)),
    },
    flags: { type: "string", default: "{}" },
    messages: { type: "boolean", default: true },
  },
});

async function ask(file: LabelFile, folder: string): Promise<readonly AskedMessage[]> {
  const launcher = resolve(values.launcher);
  indexFolder(launcher, folder);
  const flags = JSON.parse(values.flags) as object;
  const searches = file.questions.map(({ text }) => ({ ...flags, query: text, top_k: 5 }));
  const answers = await askCodetool(launcher, folder, searches);
  return file.questions.map((question, at) => {
    const answered = answers[at];
    if (answered === undefined) throw new Error(`${question.id} has no answer`);
    const found = answered.places.findIndex((place) =>
      question.answers.some((span) => isShown(span, place)),
    );
    return { question, answered, rank: found < 0 ? undefined : found + 1 };
  });
}

function countUpTo(asked: readonly AskedMessage[], rankMax: number): number {
  return asked.filter(({ rank }) => rank !== undefined && rank <= rankMax).length;
}

function rowOf(name: string, asked: readonly AskedMessage[]): string {
  const tokens = asked.map(({ answered }) => answered.tokens).sort((a, b) => a - b);
  const shown = [1, 3].map((rankMax) => countUpTo(asked, rankMax));
  return `| ${[name, asked.length, ...shown, tokens[Math.floor(tokens.length / 2)]].join(" | ")} |`;
}

function missOf({ question, answered, rank }: AskedMessage): string {
  const wanted = question.answers.map(({ path, from }) => `${path}:${from}`).join(", ");
  const shown = answered.places.slice(0, 3).map(({ path, line }) => `${path}:${line}`);
  return `- ${question.id}, ${rank ?? "not among five"}: \`${question.text}\`; wanted ${wanted}; shown ${shown.join(", ")}`;
}

function refuse(fault: string): never {
  process.stderr.write(`${fault}\n`);
  process.exit(2);
}

if (values.sources === undefined)
  refuse("Usage: npm run bench:search -- --messages --sources=<folder>");
const sources = resolve(values.sources);
const files = readLabelFiles(import.meta.dirname)
  .map(({ file }) => file)
  .filter(
    ({ repository }) => values.repository.length === 0 || values.repository.includes(repository),
  );
const missing = files.find((file) => !existsSync(join(sources, plusName(file))));
if (missing !== undefined) refuse(`${join(sources, plusName(missing))} is not there`);
const all: AskedMessage[] = [];
const rows: string[] = [];
for (const file of files) {
  const asked = await ask(file, join(sources, plusName(file)));
  rows.push(rowOf(file.repository, asked));
  all.push(...asked);
}
const share = (rankMax: number): string =>
  `${((100 * countUpTo(all, rankMax)) / all.length).toFixed(1)} %`;
process.stdout.write(
  [
    "| repository | messages | first | among three | tokens, middle |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    rowOf("all", all),
    "",
    `First: ${share(1)}, among the first three: ${share(3)}`,
    "",
    ...all.filter(({ rank }) => rank !== 1).map(missOf),
    "",
  ].join("\n"),
);
