/** A piece of text that people read, and where it begins. */
export interface Prose {
  readonly line1: number;
  readonly text: string;
}

const fencePattern = /^\s*(?:```|~~~)/;
/** After one of these a `/` begins a regular expression instead of a division. */
const beforeExpression = /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\breturn|\btypeof|\bcase|\bin|\bof)\s*$/;

/** The paragraphs' lines of a Markdown page, without code blocks and code in backticks. */
export function markdownProse(text: string): Prose[] {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (fencePattern.test(line)) isCode = !isCode;
    if (isCode || fencePattern.test(line)) return [];
    return [{ line1: index + 1, text: withoutCode(line) }];
  });
}

/** The doc comments and the texts in quotes of a TypeScript file. A quoted text without a blank is a name, not prose. */
export function typescriptProse(text: string): Prose[] {
  const found: Prose[] = [];
  for (const { kind, start, end } of tokensOf(text)) {
    const line1 = text.slice(0, start).split("\n").length;
    const own = text.slice(start, end);
    if (kind === "doc")
      own.split("\n").forEach((line, index) => {
        found.push({ line1: line1 + index, text: withoutCode(line.replace(/^\s*\/?\*+\/?/, "")) });
      });
    else if (kind === "quoted" && own.includes(" "))
      own.split("\n").forEach((line, index) => {
        found.push({ line1: line1 + index, text: line });
      });
  }
  return found;
}

/** The code of a TypeScript file: comments, quoted texts and regular expressions are blanks, lines stay. */
export function typescriptCode(text: string): string {
  let code = "";
  let end = 0;
  for (const token of tokensOf(text)) {
    code += text.slice(end, token.start) + blank(text.slice(token.start, token.end));
    end = token.end;
  }
  return code + text.slice(end);
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ");
const withoutCode = (line: string): string => line.replaceAll(/`[^`]*`/g, blank);

interface Token {
  readonly kind: "doc" | "comment" | "quoted" | "expression";
  readonly start: number;
  readonly end: number;
}

/** What of a TypeScript file is not code: comments, quoted texts without their quotes, regular expressions. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  /** For each open `${`: how many braces are open in it. */
  const templates: number[] = [];
  let at = 0;
  const quoted = (end: number): void => {
    tokens.push({ kind: "quoted", start: at, end });
    at = end;
  };
  const template = (): void => {
    const end = endOfTemplate(text, at);
    const opens = text.startsWith("${", end);
    quoted(end);
    if (opens) templates.push(0);
    at += opens ? 2 : 1;
  };
  while (at < text.length) {
    const char = text[at] ?? "";
    const depth = templates.at(-1);
    if (text.startsWith("//", at) || text.startsWith("/*", at)) {
      const end = endOfComment(text, at);
      tokens.push({ kind: text.startsWith("/**", at) ? "doc" : "comment", start: at, end });
      at = end;
    } else if (char === '"' || char === "'") {
      at += 1;
      quoted(endOfQuoted(text, { from: at, quote: char }));
      at += 1;
    } else if (char === "`" || (char === "}" && depth === 0)) {
      if (char === "}") templates.pop();
      at += 1;
      template();
    } else if (char === "/" && beforeExpression.test(lineBefore(text, at))) {
      const end = endOfExpression(text, at);
      tokens.push({ kind: "expression", start: at, end });
      at = end;
    } else {
      if (depth !== undefined && (char === "{" || char === "}"))
        templates[templates.length - 1] = depth + (char === "{" ? 1 : -1);
      at += 1;
    }
  }
  return tokens;
}

const lineBefore = (text: string, at: number): string =>
  text.slice(text.lastIndexOf("\n", at - 1) + 1, at);

function endOfComment(text: string, at: number): number {
  const isBlock = text.startsWith("/*", at);
  const end = text.indexOf(isBlock ? "*/" : "\n", at + 2);
  if (end === -1) return text.length;
  return isBlock ? end + 2 : end;
}

function endOfQuoted(
  text: string,
  { from, quote }: { readonly from: number; readonly quote: string },
): number {
  let at = from;
  while (at < text.length && text[at] !== quote && text[at] !== "\n")
    at += text[at] === "\\" ? 2 : 1;
  return at;
}

function endOfTemplate(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "`" && !text.startsWith("${", at))
    at += text[at] === "\\" ? 2 : 1;
  return at;
}

function endOfExpression(text: string, from: number): number {
  let isClass = false;
  let at = from + 1;
  while (at < text.length && text[at] !== "\n" && (text[at] !== "/" || isClass)) {
    if (text[at] === "[") isClass = true;
    else if (text[at] === "]") isClass = false;
    at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}
