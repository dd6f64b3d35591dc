import { type Fault, isOfTests, readSources, type SourceFile } from "./check.ts";
import { markdownProse, typescriptProse } from "./prose.ts";

/** A turn of phrase that readers stumble over, and what to write. */
interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrases: readonly Phrase[] = [
  { pattern: /(?<!\b(?:leav(?:e|es|ing)|left|let)(?: \S+){0,2} )\balone\b/i, instead: "only" },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no\b(?! (?:longer|more|less)\b)/i,
    instead: "is not a",
  },
  { pattern: /\bstands?\b(?!-|(?: in)? for\b)/i, instead: "is" },
  { pattern: /\b(?:is|are|was|were|be|been) told\b(?! apart)/i, instead: "gets, reports, says" },
  { pattern: /\bbeside\b/i, instead: "next to, and, with" },
  { pattern: /\bwhoever\b/i, instead: "a name for who it is: the caller, a client" },
  {
    pattern:
      /\bof (?:its|their) own\b(?! (?!(?:and|or|on|in|for|with|that|to|is|are|has|have|so|too|which|by|at|from|as|than)\b)\w)/i,
    instead: "its own, separate",
  },
  { pattern: /\bbut for\b/i, instead: "except" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bin vain\b/i, instead: "without success" },
];

/** Pages that the check reads; titles of tests stay as they are. */
const pages = "{*.md,{agentrt,codetool,bench,lab}/**/*.md,docs/{guides,adr,reference}/*.md}";
const notProse =
  /^docs\/reference\/(?:lessons|otp-cases|gateway-security|conformance)\.md$|\/transport-suite\.ts$|^scripts\/checks\/plain-english\.ts$/;
const sources = "{agentrt,codetool,testkit}/src/**/*.ts";
const tools = "{scripts,bench,lab,examples}/**/*.ts";

/** Everything that must be plain: pages, and the doc comments and texts of all TypeScript that is not a test. */
export function readPlainEnglishSources(): SourceFile[] {
  return [pages, sources, tools]
    .flatMap(readSources)
    .filter(({ file }) => !isOfTests(file) && !notProse.test(file));
}

/** Finds the phrases of the list in a page or in the doc comments and texts of a TypeScript file. */
export function checkPlainEnglish({ file, text }: SourceFile): Fault[] {
  const prose = file.endsWith(".md") ? markdownProse(text) : typescriptProse(text);
  return prose.flatMap(({ line1, text: line }) =>
    phrases.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(line);
      if (match === null) return [];
      const message = `"${match[0].trim()}": say it plainly (${instead}): ${line.trim()}`;
      return [{ file, line1, message }];
    }),
  );
}
