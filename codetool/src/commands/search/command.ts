import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool search`: where something is, ranked. */
export const searchCommand: CommandDefinition = {
  name: "search",
  summary: "find text, patterns or what a question is about, ranked and within a budget",
  examples: [
    {
      commandLine: "codetool search parseConfig",
      remark: "one or two words are found as they stand, definitions first",
    },
    {
      commandLine: 'codetool search "where are retries scheduled" src',
      remark: "three words or more are found by what they are about",
    },
    {
      commandLine: 'codetool search --semantic "give up after too many attempts"',
      remark: "by meaning alone, where the words are not known",
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
  positionals: [
    { name: "query", isRequired: true, summary: "what to find" },
    { name: "path", isRequired: false, summary: "the folder or file to search (default .)" },
  ],
  flags: [
    { name: "literal", kind: "boolean", summary: "the query is text as it stands" },
    { name: "regex", kind: "boolean", summary: "the query is a regular expression" },
    {
      name: "mode",
      kind: "string",
      placeholder: "MODE",
      choices: ["literal", "bm25", "hybrid", "semantic", "structural"],
      summary: "how to search, if the query does not say",
    },
    { name: "semantic", kind: "boolean", summary: "by what the query is about, not by its words" },
    {
      name: "structural",
      kind: "boolean",
      summary: "the query is code; $NAME stands for a node, $$$ARGS for any number of them",
    },
    {
      name: "ranker",
      kind: "string",
      placeholder: "NAME",
      choices: ["linear", "rrf"],
      summary:
        "what orders answers by words and meaning: learned weights (the default) or fused ranks",
    },
    {
      name: "alpha",
      kind: "number",
      placeholder: "X",
      minimum: 0,
      maximum: 1,
      summary:
        "ranker rrf, from words alone (0) to meaning alone (1); default 0.3 for the name of a symbol, 0.5 for words",
    },
    {
      name: "top_k",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      summary: "most matches of one answer (default 5)",
    },
    {
      name: "context",
      kind: "string",
      placeholder: "UNIT",
      choices: ["function", "class", "block", "none"],
      summary: "what a snippet shows of what is around, by default none",
    },
    {
      name: "explain",
      kind: "boolean",
      summary: "what spoke for each ranked match, by feature or by stage",
    },
    {
      name: "hash",
      kind: "boolean",
      summary: "the content hash of each file, at its first match, as read tells it",
    },
    { name: "exists", kind: "boolean", summary: "only whether something matches" },
    {
      name: "continue",
      kind: "string",
      aliases: ["continue_token", "continuation_token"],
      placeholder: "TOKEN",
      summary: "the next matches: the continuation_token of the answer before",
    },
  ],
  isBatchable: true,
  run: async (input, context) => {
    const { runSearch } = await import("./run.ts");
    return await runSearch(input, context);
  },
  renderPlain,
};

interface PlainMatch {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly snippet: string;
}

/** `file:line:column: text` where the snippet is a line; else the snippet below it, indented, between empty lines. */
function renderPlain(data: CommandResult["data"]): string {
  if (typeof data["exists"] === "boolean") return data["exists"] ? "yes\n" : "no\n";
  const matches = data["matches"] as readonly PlainMatch[];
  if (matches.length === 0) return "no matches\n";
  let text = "";
  let wasBlock = false;
  for (const { file, line, column, snippet } of matches) {
    const isBlock = snippet.includes("\n");
    if (text !== "" && (isBlock || wasBlock)) text += "\n";
    text += `${file}:${line}:${column}`;
    text += isBlock ? `\n${snippet.replaceAll(/^/gm, "  ")}\n` : `: ${snippet}\n`;
    wasBlock = isBlock;
  }
  return text;
}
