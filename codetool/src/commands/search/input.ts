import type { InputDefinition, InputOf } from "../command.ts";

/** What `search` takes. */
export const searchInput = {
  positionals: [
    { name: "query", isRequired: true, summary: "what to find" },
    { name: "path", isRequired: false, summary: "the folder or file to search (default .)" },
  ],
  flags: [
    { name: "literal", kind: "boolean", summary: "the query is literal text" },
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
      choices: ["function", "class", "block", "none"],
      summary: "show the function, class or block around each match (default none)",
    },
    {
      name: "explain",
      kind: "boolean",
      summary: "why each ranked match is where it is, by feature or by stage",
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
