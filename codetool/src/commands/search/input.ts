import type { InputDefinition, InputOf } from "../command.ts";

/** What `search` takes. */
export const searchInput = {
  positionals: [
    { name: "query", isRequired: true, summary: "what to find" },
    {
      name: "path",
      isPath: true,
      aliases: ["paths"],
      isRequired: false,
      isVariadic: true,
      isOneAllowed: true,
      summary: "the folders and files to search (default .)",
    },
  ],
  flags: [
    { name: "literal", kind: "boolean", summary: "the query is literal text" },
    { name: "regex", kind: "boolean", summary: "the query is a regular expression" },
    {
      name: "ignore_case",
      kind: "boolean",
      short: "i",
      summary: "a text or pattern in upper and lower case alike",
    },
    {
      name: "word",
      kind: "boolean",
      short: "w",
      aliases: ["word_regexp"],
      summary: "a text or pattern only as whole words",
    },
    {
      name: "glob",
      kind: "strings",
      short: "g",
      placeholder: "GLOB",
      summary: "only files that match, as find --pattern takes it; !GLOB leaves out; may repeat",
    },
    {
      name: "type",
      kind: "strings",
      short: "t",
      aliases: ["lang", "language"],
      placeholder: "LANGUAGE",
      summary: "only files in a language: its name or an extension (python, ts); may repeat",
    },
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
        "ranker rrf, from only words (0) to only meaning (1); default 0.3 for the name of a symbol, 0.5 for words",
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
      short: "C",
      choices: ["function", "class", "block", "none"],
      isCountAllowed: true,
      summary: "show the function, class or block around each match, or N lines (default none)",
    },
    {
      name: "explain",
      kind: "boolean",
      summary: "why each ranked match is where it is, and what the next place of its file lacks",
    },
    {
      name: "hash",
      kind: "boolean",
      summary: "the content hash of each file, at its first match, as read gives it",
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
} as const satisfies InputDefinition;

/** The input of `search`, checked. */
export type SearchInput = InputOf<typeof searchInput>;
