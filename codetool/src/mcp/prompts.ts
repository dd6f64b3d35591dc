import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";
import { RequestRefused } from "./request-refused.ts";

/** A prompt with what makes its text. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly text: (given: { readonly [name: string]: string }) => string;
}

const all: readonly Prompt[] = [
  {
    name: "explain_symbol",
    title: "Explain a symbol",
    description: "What a function or type is, who uses it, and what a change of it touches",
    arguments: [{ name: "symbol", description: "its name, or Type.member", required: true }],
    text: ({ symbol }) =>
      `Explain \`${symbol}\` of this project. Call the tool "explain" with it, read its definition with "read", and the most important callers. Say what it is for, how it works, who uses it, which tests cover it, and what somebody who changes it has to look at. Name files and lines.`,
  },
  {
    name: "review_changes",
    title: "Review the changes of the working tree",
    description: "What the uncommitted changes do, and what could go wrong with them",
    arguments: [
      {
        name: "since",
        description: "a commit or branch to compare with; default HEAD",
        required: false,
      },
    ],
    text: ({ since }) =>
      `Review the changes of this working tree${since === undefined ? "" : ` since ${since}`}. Call the tool "diff"${since === undefined ? "" : ` with since "${since}"`}, then "impact" for each changed file, and "read" what you do not understand. Report defects first, each with file and line, then tests that are missing, then the rest. Say so where there is nothing.`,
  },
  {
    name: "orient",
    title: "Find your way in this project",
    description: "What the project is, how it is built up, and where to begin",
    arguments: [],
    text: () =>
      'Get to know this project. Call the tools "map" and "context" for its root, and "read" what they point at. Say in one page what it does, which parts it has and how they are connected, where work usually begins, and how it is built and tested.',
  },
];

/** The prompts as `prompts/list` says them. */
export const prompts = all.map(({ name, title, description, arguments: expected }) => ({
  name,
  title,
  description,
  arguments: [...expected],
}));

/**
 * Makes the message of a prompt.
 *
 * @throws RequestRefused for an unknown name, or a missing argument.
 */
export function promptOf(
  name: string,
  given: { readonly [name: string]: string },
): GetPromptResult {
  const prompt = all.find((each) => each.name === name);
  if (prompt === undefined) {
    const names = all.map((each) => each.name).join(", ");
    throw new RequestRefused(`there is no prompt "${name}"; there are ${names}`);
  }
  const missing = prompt.arguments.find(
    (each) => each.required && (given[each.name] ?? "").trim() === "",
  );
  if (missing !== undefined)
    throw new RequestRefused(`the prompt "${name}" wants "${missing.name}"`);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: prompt.text(given) } }],
  };
}
