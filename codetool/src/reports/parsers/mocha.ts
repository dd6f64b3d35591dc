import {
  findJson,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";
import { frameIn, withoutLibraryFrames } from "../stack-frame.ts";

/** Output of Mocha: its JSON, else what its text reporters print at the end. */
export const parseMocha: ParseOutput = ({ stdout, combined }) => {
  const json = findJson(stdout, isMocha);
  if (json !== undefined)
    return reportOf(countsOfJson(json), objectsOf(json["failures"]).map(findingOf));
  const of = (word: string): number | undefined => {
    const count = new RegExp(`^ +(\\d+) ${word}\\b`, "m").exec(combined)?.[1];
    return count === undefined ? undefined : Number(count);
  };
  const [passed, failed, skipped] = [of("passing"), of("failing"), of("pending")];
  const refusal = / ?(?:Exception during run|Error: No test files found).*[\s\S]*/.exec(
    combined,
  )?.[0];
  if (passed === undefined && refusal !== undefined)
    return makeReport({
      summary: "mocha could not run",
      failed: 1,
      failures: [
        { name: "mocha", location: frameIn(refusal, "") ?? null, message: refusal.trim() },
      ],
    });
  if (passed === undefined) return undefined;
  const counts = { passed, failed: failed ?? 0, skipped: skipped ?? 0 };
  return reportOf(counts, blocksOf(combined.split("\n")));
};

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

function reportOf(counts: Counts, failures: readonly Finding[]) {
  const { passed, failed, skipped } = counts;
  const text = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  return makeReport({
    summary: text === "" ? "no tests ran" : text,
    passed,
    failed,
    skipped,
    failures,
  });
}

function isMocha(value: Json): value is JsonObject {
  return isObject(value) && isObject(value["stats"]) && "passes" in value["stats"];
}

function countsOfJson(json: JsonObject): Counts {
  const stats = isObject(json["stats"]) ? json["stats"] : {};
  return {
    passed: numberOf(stats["passes"]),
    failed: numberOf(stats["failures"]),
    skipped: numberOf(stats["pending"]),
  };
}

function findingOf(test: JsonObject): Finding {
  const error = isObject(test["err"]) ? test["err"] : {};
  const message = withoutLibraryFrames(textOf(error["stack"]) || textOf(error["message"]));
  const file = textOf(test["file"]);
  return {
    name: textOf(test["fullTitle"]),
    location: frameIn(message, file) ?? (file || null),
    message,
  };
}

/** `  1) suite`, deeper titles, the last with a colon, then what happened. */
function blocksOf(lines: readonly string[]): Finding[] {
  const start = lines.findIndex((line) => /^ +\d+ failing$/.test(line));
  if (start === -1) return [];
  const blocks: { readonly titles: string[]; readonly lines: string[]; isTitled: boolean }[] = [];
  for (const line of lines.slice(start + 1)) {
    const first = /^ {2}\d+\) (.+)$/.exec(line)?.[1];
    const last = blocks.at(-1);
    if (first !== undefined)
      blocks.push({ titles: [first.replace(/:$/, "")], lines: [], isTitled: first.endsWith(":") });
    else if (last !== undefined && !last.isTitled) {
      last.titles.push(line.trim().replace(/:$/, ""));
      last.isTitled = line.trimEnd().endsWith(":");
    } else last?.lines.push(line);
  }
  return blocks.map(({ titles, lines: body }) => {
    const message = withoutLibraryFrames(trimLines(body));
    return { name: titles.join(" "), location: frameIn(message, "") ?? null, message };
  });
}
