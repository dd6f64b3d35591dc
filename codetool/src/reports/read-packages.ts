import { type PackageSection, packageSections } from "./package-sections.ts";
import {
  countsText,
  type Finding,
  makeReport,
  plural,
  type ReadReport,
  type Report,
  type ToolOutput,
} from "./report.ts";
import { trimLines } from "./trim-lines.ts";

/** Lines that are shown of a package that failed, and whose output nobody could read. */
const shownLinesMax = 30;

/**
 * Reads the output of scripts of npm, pnpm, yarn, turbo and lerna. Where those of several packages ran, each is read by its
 * own command, and the reports are added up: read as one, the second summary would be lost, and like failures of two
 * packages would be one. Each finding says which package it is of.
 *
 * @param readOne Reads the output of one command; without words that of the command that was run.
 */
export function readPackages(
  output: Omit<ToolOutput, "words">,
  readOne: (output: Omit<ToolOutput, "words">, argv?: readonly string[]) => ReadReport,
): ReadReport {
  const sections = packageSections(output.combined);
  const [only, second] = sections;
  if (second === undefined) {
    const read = readOne(output);
    // The script of a workspace is known by its heading alone, and its lines may have the package before them.
    const isUnread = read.report === undefined && read.defect === undefined;
    return ofPackage(
      isUnread && only !== undefined ? readSection(only, output, readOne) : read,
      only?.name,
    );
  }
  const printed = new Map(packageSections(output.stdout).map(({ name, text }) => [name, text]));
  const isFailureKnown = sections.some(({ isFailed }) => isFailed);
  const reads = sections.map((section) => {
    const { name, text, isFailed } = section;
    const exitCode = isFailed || !isFailureKnown ? output.exitCode : 0;
    const own = { stdout: printed.get(name) ?? text, stderr: "", combined: text, exitCode };
    return { section, read: ofPackage(readOne(own, commandOf(section)), name) };
  });
  const known = reads.flatMap(({ read: { report } }) => report ?? []);
  const defect = reads.find(({ read }) => read.defect !== undefined)?.read;
  if (known.length === 0 || defect !== undefined) return defect ?? readOne(output);
  const unread = reads.flatMap(({ section, read }) =>
    read.report === undefined && section.isFailed ? [failureOf(section)] : [],
  );
  const tool = reads.find(({ read: { report } }) => (report?.failed ?? 0) > 0) ?? reads[0];
  return { tool: tool?.read.tool ?? "unknown", report: sumOf(known, unread, sections.length) };
}

function readSection(
  section: PackageSection,
  { exitCode }: Pick<ToolOutput, "exitCode">,
  readOne: (output: Omit<ToolOutput, "words">, argv?: readonly string[]) => ReadReport,
): ReadReport {
  const { text } = section;
  return readOne({ stdout: text, stderr: "", combined: text, exitCode }, commandOf(section));
}

function commandOf({ commands }: PackageSection): readonly string[] | undefined {
  return commands.length === 0 ? undefined : ["sh", "-c", commands.join(" && ")];
}

function ofPackage(read: ReadReport, name: string | undefined): ReadReport {
  const { report } = read;
  if (report === undefined || name === undefined) return read;
  const withOrigin = (finding: Finding): Finding =>
    finding.origin === undefined && finding.location !== null
      ? { ...finding, origin: name }
      : finding;
  return {
    ...read,
    report: {
      ...report,
      failures: report.failures.map(withOrigin),
      warnings: report.warnings.map(withOrigin),
    },
  };
}

/** A script that failed, and whose output nobody could read. */
function failureOf({ name, text }: PackageSection): Finding {
  const lines = trimLines(text.split("\n")).split("\n").slice(-shownLinesMax);
  return { name, location: null, message: lines.join("\n") || "it failed and printed nothing" };
}

function sumOf(
  reports: readonly Report[],
  unread: readonly Finding[],
  packageCount: number,
): Report {
  const sum = (count: (report: Report) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const passed = sum((report) => report.passed);
  const failed = sum((report) => report.failed) + unread.length;
  const skipped = sum((report) => report.skipped);
  const warnings = reports.flatMap((report) => report.warnings);
  const counts = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  const parts = [
    counts === "" ? "nothing failed" : counts,
    ...(warnings.length === 0 ? [] : [plural(warnings.length, "warning")]),
  ];
  return makeReport({
    summary: `${parts.join(", ")} in ${packageCount} packages`,
    passed,
    failed,
    skipped,
    failures: [...reports.flatMap((report) => report.failures), ...unread],
    warnings,
  });
}
