import {
  findJson,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { makeReport, type ParseOutput, type Report, type ToolOutput } from "../report.ts";
import { parseCargoTest } from "./cargo-test.ts";
import { type Coverage, type CoveredPart, coverageReport } from "./coverage-report.ts";
import { parseNextest } from "./nextest.ts";

/** Output of `cargo llvm-cov`: the tests' report, and the table or the JSON of llvm-cov; lines are what counts. */
export const parseCargoLlvmCov: ParseOutput = (output) => {
  const json = findJson(output.stdout, isExport);
  const coverage = json === undefined ? coverageOfTable(output.combined) : coverageOfJson(json);
  const inner = innerReport(output);
  const isShort = coverage !== undefined && output.exitCode === 1 && (inner?.failed ?? 0) === 0;
  // It says nothing of a limit that is not reached but its exit code.
  const limit = / (--fail-\S+[ =]\d\S*)/.exec(` ${output.words.join(" ")}`)?.[1];
  if (isShort && limit !== undefined)
    return coverageReport({ ...coverage, shortfalls: [`${limit} is not met`] }, inner);
  if (coverage !== undefined) return coverageReport(coverage, inner);
  const refusal = /^error: (.+)$/m.exec(output.combined);
  if (inner !== undefined && (inner.failures.length > 0 || output.exitCode === 0)) return inner;
  if (refusal === null) return inner;
  const failures = [{ name: "llvm-cov", location: null, message: refusal[1] ?? "" }];
  return makeReport({ summary: "1 error", failed: 1, failures });
};

/** What the tests came to, else the compiler. */
function innerReport(output: ToolOutput): Report | undefined {
  // It repeats with whole command lines that cargo failed, which the lines above already say.
  const isOwn = (line: string): boolean =>
    line.startsWith("error: process didn't exit successfully");
  const combined = output.combined
    .split("\n")
    .filter((line) => !isOwn(line))
    .join("\n");
  const cargo = { ...output, combined };
  return output.words.includes("nextest") ? parseNextest(cargo) : parseCargoTest(cargo);
}

function isExport(value: Json): value is JsonObject {
  return isObject(value) && value["type"] === "llvm.coverage.json.export";
}

function percentOf(summary: Json | undefined): number {
  const lines = isObject(summary) ? summary["lines"] : undefined;
  return isObject(lines) ? Math.round(numberOf(lines["percent"]) * 100) / 100 : 0;
}

function coverageOfJson(json: JsonObject): Coverage {
  const [data] = objectsOf(json["data"]);
  const parts = objectsOf(data?.["files"]).map((file) => ({
    name: "coverage",
    location: textOf(file["filename"]),
    percent: percentOf(file["summary"]),
  }));
  return { totalPercent: percentOf(data?.["totals"]), measure: "lines", parts };
}

/** A name, and for regions, functions, lines and branches a count, the missed and a percentage each; `-` for none. */
function coverageOfTable(combined: string): Coverage | undefined {
  const lines = combined.split("\n");
  const start = lines.findLastIndex((line) =>
    /^Filename +Regions +Missed Regions +Cover/.test(line),
  );
  if (start === -1) return undefined;
  const parts: CoveredPart[] = [];
  for (const line of lines.slice(start + 1)) {
    const row = /^(.+?)((?: +(?:\d+|-|[\d.]+%)){9,12})$/.exec(line);
    const percent = row?.[2]?.trim().split(/ +/)[8] ?? "";
    if (row === null || !percent.endsWith("%")) continue;
    const [, location = ""] = row;
    const part = { name: "coverage", location, percent: Number(percent.slice(0, -1)) };
    if (location === "TOTAL") return { totalPercent: part.percent, measure: "lines", parts };
    parts.push(part);
  }
  return undefined;
}
