import { isObject, type Json, jsonLines, numberOf, objectsOf, textOf } from "../json-in-text.ts";
import { trimLines } from "../trim-lines.ts";
import type { ParseOutput } from "../report.ts";
import { placeOf } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

/** What cargo says at the end about errors that it has shown already. */
const repetition =
  /^(?:could not compile|aborting due to|build failed, waiting|test failed, to rerun|doctest failed, to rerun|\d+ targets? failed|test run failed|\d+ warnings? emitted|.* generated \d+ (?:warnings?|errors?)|the following warnings? )/;

/** Output of `cargo build`, `check` and `clippy`, and of rustc: JSON messages, else text in both lengths. */
export const parseRustc: ParseOutput = ({ stdout, combined, exitCode }) => {
  const messages = jsonLines(stdout).filter(({ reason }) => typeof reason === "string");
  const problems =
    messages.length > 0
      ? [...problemsOfJson(messages), ...rustProblems(combined.split("\n"))]
      : rustProblems(combined.split("\n"));
  const isCargo =
    /^ +(?:Compiling|Checking|Finished|Running|Updating|Locking|Fresh|Downloaded) /m.test(combined);
  const isQuiet = exitCode === 0 && combined.trim() === "";
  if (problems.length === 0 && messages.length === 0 && !isCargo && !isQuiet) return undefined;
  return problemsReport(problems, { whenNone: "no errors, no warnings" });
};

function problemsOfJson(lines: readonly { readonly [key: string]: Json | undefined }[]): Problem[] {
  return lines.flatMap(({ reason, message }) => {
    if (reason !== "compiler-message" || !isObject(message)) return [];
    const text = textOf(message["message"]);
    const level = textOf(message["level"]);
    if (repetition.test(text) || (level !== "error" && level !== "warning")) return [];
    const span = objectsOf(message["spans"]).find((each) => each["is_primary"] === true);
    const code = isObject(message["code"]) ? textOf(message["code"]["code"]) : "";
    const rendered = trimLines(textOf(message["rendered"]).split("\n"));
    return [
      {
        isError: level === "error",
        name: code === "" ? level : code,
        location:
          span === undefined
            ? null
            : placeOf(
                textOf(span["file_name"]),
                numberOf(span["line_start"]),
                numberOf(span["column_start"]),
              ),
        message:
          level === "error" && rendered !== ""
            ? rendered.replace(/^error(?:\[\w+\])?: /, "")
            : text,
      },
    ];
  });
}

/** The diagnostics in the text of rustc or cargo. */
export function rustProblems(lines: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const short = /^(\S.*?):(\d+):(\d+): (error|warning)(?:\[(\w+)\])?: (.*)$/.exec(line);
    const head = /^(error|warning)(?:\[(\w+)\])?: (.+)$/.exec(line);
    if (short !== null) {
      const [, file = "", row, column, level = "", code, message = ""] = short;
      problems.push({
        isError: level === "error",
        name: code ?? level,
        location: placeOf(file, row, column),
        message,
      });
    } else if (head !== null) {
      const [, level = "", code, text = ""] = head;
      const body: string[] = [];
      for (at += 1; at < lines.length && belongs(lines, at); at += 1) body.push(lines[at] ?? "");
      at -= 1;
      if (!repetition.test(text)) problems.push(problemOf({ level, code, text, body }));
    }
  }
  return problems;
}

/** A diagnostic goes on to the first blank line, except what cargo tells of its cause. */
function belongs(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (line === "") return /^(?:Caused by:| {2}\S)/.test(lines[at + 1] ?? "");
  return !/^(?:error|warning)(?:\[\w+\])?: | +(?:Compiling|Checking|Finished) /.test(line);
}

function problemOf(parts: {
  readonly level: string;
  readonly code: string | undefined;
  readonly text: string;
  readonly body: readonly string[];
}): Problem {
  const { level, code, text, body } = parts;
  const place = body
    .map((line) => /^ *--> (.+?:\d+:\d+)$/.exec(line)?.[1])
    .find((found) => found !== undefined);
  const lint = lintIn(body);
  const isError = level === "error";
  return {
    isError,
    name: code ?? lint ?? level,
    location: place ?? null,
    message: isError ? trimLines([text, ...body]) : text,
  };
}

/** The lint's name, where a note tells it: only for the first diagnostic of its kind. */
function lintIn(body: readonly string[]): string | undefined {
  const text = body.join("\n");
  const byAttribute = /`#\[(?:warn|deny|forbid)\(([\w:]+)\)\]`/.exec(text)?.[1];
  const byFlag = /`-[DWF] ([\w:-]+)` implied by/.exec(text)?.[1]?.replaceAll("-", "_");
  const page = /rust-clippy\/\S*#(\w+)$/m.exec(text)?.[1];
  return byAttribute ?? byFlag ?? (page === undefined ? undefined : `clippy::${page}`);
}
