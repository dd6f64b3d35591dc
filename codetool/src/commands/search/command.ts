import { defineCommand } from "../define-command.ts";
import { searchInput } from "./input.ts";
import type { PrintedMatch } from "../../search/index.ts";
import type { SearchPayload } from "./payload.ts";

/** `codetool search`: where something is, ranked. */
export const searchCommand = defineCommand({
  name: "search",
  summary: "find text, patterns or what a question is about, ranked and within a budget",
  examples: [
    {
      commandLine: "codetool search parseConfig",
      remark: "one or two words are searched as literal text, definitions first",
    },
    {
      commandLine: 'codetool search "where are retries scheduled" src',
      remark: "three words or more are a question: matches are ranked by relevance",
    },
    {
      commandLine: "codetool search -iw retry src lib -t ts -g '!*.test.ts'",
      remark: "in two folders, TypeScript without tests; whole words, in any case",
    },
    {
      commandLine: 'codetool search --semantic "give up after too many attempts"',
      remark: "only by meaning, if you do not know the words",
    },
    {
      commandLine: 'codetool search --alpha 0.7 "retry backoff"',
      remark: "by fused ranks of words and meaning, meaning counting more",
    },
    {
      commandLine: 'codetool search --literal "emit(" --context function --budget 1500',
      remark: "with the functions around, in at most 1500 tokens",
    },
    {
      commandLine: "codetool search --regex 'on[A-Z]\\w+Error'",
      remark: "a pattern, line by line; no look-around, no back-references",
    },
    {
      commandLine: "codetool search --structural 'fetch($URL, { $$$OPTIONS })'",
      remark: "code by its structure, with what the placeholders stand for",
    },
    {
      commandLine: 'codetool search --exists "TODO(" src',
      remark: "only whether there is one",
    },
  ],
  ...searchInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).searchAnswer,
  run: async (input, context) => {
    const { runSearch } = await import("./run.ts");
    return await runSearch(input, context);
  },
  unixEquivalent: async (input) => {
    const { searchEquivalent } = await import("../fallback/index.ts");
    return searchEquivalent(input);
  },
  renderPlain,
});

/** `file:line:column: text` where the snippet is a line; else the snippet below it, indented, between empty lines. */
function renderPlain(payload: SearchPayload): string {
  if ("exists" in payload) return payload.exists ? "yes\n" : "no\n";
  const { matches } = payload;
  if (matches.length === 0) return "no matches\n";
  let text = "";
  let wasBlock = false;
  for (const { file, line, column, snippet, why } of matches) {
    const isBlock = snippet.includes("\n") || why !== undefined;
    if (text !== "" && (isBlock || wasBlock)) text += "\n";
    text += `${file}:${line}:${column}`;
    text += isBlock ? `\n${snippet.replaceAll(/^/gm, "  ")}\n` : `: ${snippet}\n`;
    if (why !== undefined) text += renderWhy(why);
    wasBlock = isBlock;
  }
  return text;
}

/** One line of what counted, and one of what the next place of the file lacks. */
function renderWhy({ words, evidence, next }: NonNullable<PrintedMatch["why"]>): string {
  const counted = evidence.map(({ what, value, points }) => `${what} ${value} (${signed(points)})`);
  const lines = [`why: ${[...wordList(words), ...counted].join("; ")}`];
  if (next !== null) {
    const lacks = next.lacks.map(
      ({ what, value, value_here, points }) =>
        `${what} ${value}, here ${value_here} (${signed(points)})`,
    );
    const name = next.name === null ? "" : ` ${next.name}`;
    const place = `next in this file: line ${next.line}${name}, ${next.points_behind} points behind`;
    lines.push([place, ...wordList(next.words), ...lacks].join("; "));
  }
  return lines.map((line) => `  ${line}\n`).join("");
}

function wordList(words: readonly string[] | undefined): readonly string[] {
  return words === undefined ? [] : [`words ${words.length === 0 ? "none" : words.join(", ")}`];
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : `${points}`;
}
