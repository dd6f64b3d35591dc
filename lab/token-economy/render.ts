import { readFileSync } from "node:fs";
import type { TaskResult } from "./run-task.ts";
import {
  type EconomyResults,
  isAnswered,
  ratioOf,
  resultsPath,
  type Side,
  type Spread,
  spreadOf,
  summarize,
} from "./summarize.ts";

/** Makes the page `lab/results/token-economy.md`, every task of the last whole run. */
export function renderTokenEconomyPage(): string {
  return renderResults(readResults());
}

/** Makes the page `docs/reference/token-economy.md`, the summary of the last whole run. */
export function renderTokenEconomySummary(): string {
  const { tasks, versions, date } = readResults();
  return [
    ...summaryIntroduction,
    `Last whole run: ${date}; ${versions.join(", ")}.`,
    "",
    ...overallLines(tasks),
    "",
    ...kindLines(tasks),
    "",
  ].join("\n");
}

const readResults = (): EconomyResults =>
  JSON.parse(readFileSync(resultsPath, "utf8")) as EconomyResults;

/** Writes the page of some results. */
export function renderResults(results: EconomyResults): string {
  const { tasks, repositories, versions, date } = results;
  return [
    ...introduction,
    `Last whole run: ${date}; ${versions.join(", ")}.`,
    "",
    ...overallLines(tasks),
    "",
    ...kindLines(tasks),
    "",
    "## By kind of question",
    "",
    ...tableOf(groupsOf(tasks, ({ kind }) => kind)),
    "",
    ...wordLines(tasks),
    "",
    "## By repository",
    "",
    ...tableOf(groupsOf(tasks, ({ repository }) => repository)),
    "",
    ...repositories.map(({ name, repository, commit }) => `- ${name}: ${repository} at ${commit}`),
    "",
    "## All tasks",
    "",
    "Tokens of codetool's JSON, of its `--plain`, and of the Unix tools, and the commands of both. `{hash:FILE}` is the",
    "hash that an earlier `read` of the file gave.",
    "",
    ...repositories.flatMap(({ name }) =>
      taskLines(
        name,
        tasks.filter(({ repository }) => repository === name),
      ),
    ),
  ].join("\n");
}

const summaryIntroduction: readonly string[] = [
  "# Token economy",
  "",
  "What an agent reads to have a question answered, by codetool and by `rg`, `cat`, `find` and `git diff`: a hundred",
  "questions about five repositories, of twenty kinds. [All questions, what they were asked with and the method are in",
  "the lab](../../lab/results/token-economy.md). This page is generated from that run.",
  "",
];

const introduction: readonly string[] = [
  "# Token economy",
  "",
  "What an agent reads to have a question answered, by codetool and by `rg`, `cat`, `find` and `git diff`: a hundred",
  "questions about five repositories, twenty kinds, counted with `o200k_base` of the public package `gpt-tokenizer`.",
  "`npm run token-economy -- <folder of checkouts>` runs all sides and writes `token-economy.json`, which this page is",
  "made from; the questions are data, in `lab/token-economy/tasks`.",
  "",
  "- All that a command prints to standard output counts, codetool's envelope included. What the agent writes, and what",
  "  each further call costs it, does not.",
  "- The Unix side is what a competent agent does: `rg` with the language's own word for a definition where the question",
  "  names the sort of thing; a range around the place instead of a whole large file.",
  "- A proof decides: patterns that must be in the answer of each side. An answer without them has failed. It is on this",
  "  page, but its tokens take no part in medians and ratios, which are over tasks that both sides answered.",
  "- Codetool answers in JSON, which is its default; `--plain` is the same command with that flag. An index is there",
  "  (`codetool index`), as in a project that uses it.",
  "- An unchanged file again is `cat` on the Unix side, which has no memory of what the agent has read.",
  "- A question in words is answered when the file that answers it is named; the Unix side reads the file it picks, as",
  "  lines without what is around them tell nothing, and codetool shows an excerpt of each file it names.",
  "- Times are of one run each, on a machine that did other things too: for orientation.",
  "",
];

const figure = (value: number): string =>
  Number.isFinite(value) ? value.toFixed(2) : Number.isNaN(value) ? "–" : "∞";
const whole = (value: number): string => (Number.isNaN(value) ? "–" : String(Math.round(value)));
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const span = (from: number, to: number): string =>
  Number.isNaN(from) ? "–" : `${figure(from)}–${figure(to)}`;
const quartiles = ({ lowerQuartile, upperQuartile }: Spread): string =>
  span(lowerQuartile, upperQuartile);

function overallLines(tasks: readonly TaskResult[]): string[] {
  const rows = (["codetool", "plain"] as const).map((side) => {
    const each = summarize(tasks, side);
    const cells = [
      side === "codetool" ? "JSON" : "`--plain`",
      tasks.length,
      each.answeredCount,
      `**${figure(each.ratio.median)}**`,
      quartiles(each.ratio),
      span(each.ratio.minimum, each.ratio.maximum),
      `${each.totalTokens} : ${each.unixTotalTokens}, ${figure(each.totalTokens / each.unixTotalTokens)}`,
      `**${each.largerCount}**`,
      each.failedCount,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const unixFailedCount = tasks.filter(({ unix }) => unix.missing.length > 0).length;
  return [
    "Tokens of codetool by those of the Unix tools; below 1 codetool is cheaper:",
    "",
    "| Codetool's answer | Tasks | Answered by both | Ratio, median | Quartiles | Least–most | All tokens together | Codetool prints more in | Codetool failed |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `The Unix tools failed ${unixFailedCount} of the ${tasks.length}.`,
  ];
}

/** Which kinds of question are the cheaper on which side, by the medians of their ratios. */
function kindLines(tasks: readonly TaskResult[]): string[] {
  const kinds = groupsOf(tasks, ({ kind }) => kind);
  const named = (side: Side, isWanted: (ratio: number) => boolean): string =>
    kinds
      .map(([name, group]) => ({ name, ratio: summarize(group, side).ratio.median }))
      .filter(({ ratio }) => isWanted(ratio))
      .map(({ name, ratio }) => `${name} (${figure(ratio)})`)
      .join("; ") || "none";
  return [
    `- Codetool's JSON is cheaper for: ${named("codetool", (ratio) => ratio < 1)}.`,
    `- The Unix tools are as cheap as JSON or cheaper for: ${named("codetool", (ratio) => ratio >= 1)}.`,
    `- As cheap as \`--plain\` or cheaper for: ${named("plain", (ratio) => ratio >= 1)}.`,
  ];
}

/** Questions in words against only the keywords, as that is where what the Unix side reads after is a choice. */
function wordLines(tasks: readonly TaskResult[]): string[] {
  const asked = tasks.filter(
    (task) => task.kind.includes("in words") && isAnswered(task, "codetool"),
  );
  const ratio = spreadOf(asked.map(({ codetool, unix }) => codetool.tokens / unix.firstTokens));
  return [
    `Of the questions in words, codetool's answer is ${figure(ratio.median)} times (quartiles ${quartiles(ratio)}) the first \`rg\`, with nothing read after it.`,
  ];
}

function groupsOf(
  tasks: readonly TaskResult[],
  by: (task: TaskResult) => string,
): [string, readonly TaskResult[]][] {
  return [...Map.groupBy(tasks, by)];
}

function tableOf(groups: readonly (readonly [string, readonly TaskResult[]])[]): string[] {
  return [
    "| | Tasks | Tokens, median: JSON | `--plain` | Unix | Ratio, median | Quartiles | Least–most | Codetool prints more in | `--plain`: ratio, median | Failed: JSON, `--plain`, Unix | ms, median: codetool : Unix |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...groups.map(([name, tasks]) => rowOf(name, tasks)),
  ];
}

function rowOf(name: string, tasks: readonly TaskResult[]): string {
  const json = summarize(tasks, "codetool");
  const plain = summarize(tasks, "plain");
  const unix = summarize(tasks, "unix");
  const cells = [
    name,
    tasks.length,
    whole(json.medianTokens),
    whole(plain.medianTokens),
    whole(unix.medianTokens),
    `**${figure(json.ratio.median)}**`,
    quartiles(json.ratio),
    span(json.ratio.minimum, json.ratio.maximum),
    json.largerCount,
    figure(plain.ratio.median),
    `${json.failedCount}, ${plain.failedCount}, ${unix.failedCount}`,
    `${whole(json.medianDurationMs)} : ${whole(unix.medianDurationMs)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function taskLines(name: string, tasks: readonly TaskResult[]): string[] {
  return [
    `### ${name}`,
    "",
    "| Question | JSON | `--plain` | Unix | Ratio | Codetool | Unix |",
    "|---|---|---|---|---|---|---|",
    ...tasks.map((task) => {
      const tokens = (side: Side): string => tokensCell(task[side]);
      const cells = [
        cell(`${task.question} (${task.kind})`),
        tokens("codetool"),
        tokens("plain"),
        tokens("unix"),
        isAnswered(task, "codetool") ? figure(ratioOf(task, "codetool")) : "–",
        task.codetool.commands.map(codeCell).join("; "),
        task.unix.commands.map(codeCell).join("; "),
      ];
      return `| ${cells.join(" | ")} |`;
    }),
    "",
  ];
}

const codeCell = (line: string): string => `\`${cell(line)}\``;

const tokensCell = ({ tokens, missing }: TaskResult["codetool"]): string =>
  missing.length === 0
    ? String(tokens)
    : `${tokens}, **failed**: lacks ${missing.map(codeCell).join(", ")}`;
