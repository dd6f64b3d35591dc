import { leadingCommentLine1 } from "../../diffs/index.ts";
import type { ExplainedDefinition } from "./payload.ts";
import { leadingDoc, type ProjectCorpus } from "../project/index.ts";
import { type FoundDefinition, pathOfName } from "./find-definitions.ts";

/** Characters of documentation that are shown at most. */
const docLengthMax = 1200;

/** Describes a definition: where it is, its declaration, what is written about it, its text. */
export function describe(
  definition: FoundDefinition,
  project: ProjectCorpus,
  { text, hasCode }: { readonly text: string | undefined; readonly hasCode: boolean },
): ExplainedDefinition {
  const { file, at, kind, isExported, startLine1, endLine1 } = definition;
  const { corpus, shownPathOf } = project;
  const lines = text?.split("\n") ?? [];
  const doc = text === undefined ? "" : docOf(definition, project, text);
  const shown = cut(doc);
  const code = lines
    .slice(startLine1 - 1, endLine1)
    .map((line) => line.replace(/\r$/, ""))
    .join("\n");
  return {
    name: pathOfName(definition),
    kind,
    file: shownPathOf(file),
    lines: { start: startLine1, end: endLine1 },
    signature: corpus.signaturesOf(file)[at] ?? definition.name,
    exported: isExported,
    ...(doc === "" ? {} : { doc: shown }),
    ...(shown.length < doc.length ? { doc_truncated: true } : {}),
    ...(hasCode && code !== "" ? { code } : {}),
  };
}

/** The documentation string that the body begins with, else the comment right above. */
function docOf(
  { file, at, startLine1 }: FoundDefinition,
  { corpus }: ProjectCorpus,
  text: string,
): string {
  const { language } = corpus.file(file);
  const [start = 0, bodyStart = 0, end = 0] = corpus
    .symbolBytesOf(file)
    .subarray(3 * at, 3 * at + 3);
  const bytes = Buffer.from(text, "utf8");
  const own = bytes.toString("utf8", start, end);
  if (language === "python") {
    const body = bytes.toString("utf8", bodyStart, end).replace(/^[\s:]+/, "");
    if (/^[rRuU]?(?:"""|''')/.test(body)) return indentationless(leadingDoc(body, language));
    const short = /^[rRuU]?(["'])((?:\\.|(?!\1)[^\\\n])+)\1/.exec(body)?.[2];
    if (short !== undefined) return short.trim();
  }
  if (language === "elixir") {
    const found = /^\s*@(?:type)?doc\s+(?:~[sS])?(?:"""\s*\n?([^]*?)"""|"([^"\n]*)")/.exec(own);
    if (found !== null) return indentationless((found[1] ?? found[2] ?? "").trim());
  }
  const lines = text.split("\n");
  const options = { language: language ?? "", firstLine1: 1 };
  const first = leadingCommentLine1(lines, startLine1, options);
  if (first === startLine1) return "";
  const comment = lines.slice(first - 1, startLine1 - 1).join("\n");
  return indentationless(leadingDoc(comment, language));
}

/** Takes out the indentation that all lines but the first have. */
function indentationless(doc: string): string {
  const [first = "", ...rest] = doc.split("\n");
  const depths = rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths, 100);
  return [first, ...rest.map((line) => line.slice(Math.min(depth, line.length)))].join("\n").trim();
}

/** The beginning, up to the end of a line. */
function cut(doc: string): string {
  if (doc.length <= docLengthMax) return doc;
  const head = doc.slice(0, docLengthMax);
  const end = head.lastIndexOf("\n");
  return head.slice(0, end > docLengthMax / 2 ? end : head.lastIndexOf(" ")).trimEnd();
}
