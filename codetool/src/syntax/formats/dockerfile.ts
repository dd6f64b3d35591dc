import { type FormatEntry, type FormatReading, type FormatSyntax, newEntry } from "./entry.ts";
import { type TextLine, textLinesOf } from "./text-lines.ts";

/** Finds the stages of a Dockerfile, by their names or images, and the arguments and variables in them. */
function scanDockerfile(text: string): FormatReading {
  const lines = textLinesOf(text);
  const reader = new DockerfileReader(escapeOf(lines));
  for (const line of lines) reader.read(line);
  return { entries: reader.finish(), hasErrors: false };
}

/** The mark that continues a line, which a directive in the first lines may change. */
function escapeOf(lines: readonly TextLine[]): string {
  for (const { text } of lines.slice(0, 8)) {
    const directive = /^#\s{0,8}(\w{1,32})\s{0,8}=\s{0,8}(\S)/.exec(text);
    if (directive === null) break;
    if (directive[1]?.toLowerCase() === "escape") return directive[2] ?? "\\";
  }
  return "\\";
}

class DockerfileReader {
  readonly #escape: string;
  readonly #roots: FormatEntry[] = [];
  #stage: FormatEntry | null = null;
  /** The instruction being read, its continued lines joined. */
  #words: string[] = [];
  #start = 0;
  #lastEnd = 0;
  /** Marks of the here-documents whose lines follow. */
  #heredocs: string[] = [];

  constructor(escape: string) {
    this.#escape = escape;
  }

  read(line: TextLine): void {
    const content = line.text.trim();
    if (this.#heredocs.length > 0) {
      if (content === this.#heredocs[0]) this.#heredocs.shift();
      this.#lastEnd = line.end;
      return;
    }
    // Empty lines and comments may be inside of an instruction.
    if (content === "" || content.startsWith("#")) return;
    const isContinued = content.endsWith(this.#escape);
    if (this.#words.length === 0) {
      this.#start = line.start + line.text.indexOf(content);
    }
    this.#words.push(isContinued ? content.slice(0, -1).trimEnd() : content);
    const end = line.start + line.text.trimEnd().length;
    if (!isContinued) this.#instruction(this.#words.join(" "), end);
    this.#lastEnd = end;
  }

  finish(): readonly FormatEntry[] {
    if (this.#words.length > 0) this.#instruction(this.#words.join(" "), this.#lastEnd);
    this.#endStage();
    return this.#roots;
  }

  #instruction(text: string, end: number): void {
    this.#words = [];
    const word = /^[a-z]+/i.exec(text)?.[0] ?? "";
    const rest = text.slice(word.length).trim();
    switch (word.toUpperCase()) {
      case "FROM":
        this.#from(rest, end);
        break;
      case "ARG":
        this.#variables(rest, { end, isArgument: true });
        break;
      case "ENV":
        this.#variables(rest, { end, isArgument: false });
        break;
      case "RUN":
      case "COPY":
      case "ADD":
        this.#heredocs = [...rest.matchAll(/<<-?["']?([A-Za-z_]\w{0,63})["']?/g)]
          .slice(0, 16)
          .map((match) => match[1] ?? "");
        break;
      default:
    }
  }

  #from(rest: string, end: number): void {
    this.#endStage();
    const words = rest.split(/\s+/).filter((word) => !word.startsWith("--"));
    const [image = "", as = "", name = ""] = words;
    const own = as.toLowerCase() === "as" && name !== "" ? name : image;
    if (own === "") return;
    this.#stage = newEntry({
      name: own,
      kind: "module",
      start: this.#start,
      end,
      bodyStart: end,
    });
    this.#roots.push(this.#stage);
  }

  #endStage(): void {
    if (this.#stage !== null) this.#stage.end = Math.max(this.#stage.end, this.#lastEnd);
    this.#stage = null;
  }

  #variables(rest: string, at: { readonly end: number; readonly isArgument: boolean }): void {
    const { end, isArgument } = at;
    for (const name of variableNames(rest, { isArgument })) {
      const entry = newEntry({ name, kind: "const", start: this.#start, end });
      (this.#stage?.children ?? this.#roots).push(entry);
    }
  }
}

/** The names in `a=1 b="2 3" c`, or the one in `ENV name value`. */
function variableNames(rest: string, { isArgument }: { readonly isArgument: boolean }): string[] {
  const first = /^[A-Za-z_][\w.-]*/.exec(rest)?.[0];
  if (first === undefined) return [];
  if (!isArgument && rest[first.length] !== "=") return [first];
  const names: string[] = [];
  let index = 0;
  while (index < rest.length && names.length < 256) {
    const start = index;
    while (index < rest.length && !/[\s=]/.test(rest[index] ?? "")) index += 1;
    if (/^[A-Za-z_][\w.-]*$/.test(rest.slice(start, Math.min(index, start + 256))))
      names.push(rest.slice(start, index));
    let quote = "";
    for (; index < rest.length; index++) {
      const unit = rest[index] as string;
      if (unit === "\\") index += 1;
      else if (quote === "" && /\s/.test(unit)) break;
      else if (unit === quote) quote = "";
      else if (quote === "" && (unit === '"' || unit === "'")) quote = unit;
    }
    while (index < rest.length && /\s/.test(rest[index] ?? "")) index += 1;
  }
  return names;
}

/** Dockerfile. */
export const dockerfile: FormatSyntax = {
  language: "dockerfile",
  scan: scanDockerfile,
  ellipsis: "# ...",
};
