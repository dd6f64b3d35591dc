import { trimLines } from "../trim-lines.ts";
import { type Finding, type ParseOutput, placeOf } from "../report.ts";
import { buildReport, parseMake } from "./make.ts";

/** Output of CMake: what it says of the lists of files, and of a build what make or ninja say. */
export const parseCmake: ParseOutput = (output) => {
  const lines = output.combined.split("\n");
  const own = messagesOf(lines);
  const build = parseMake(output);
  const failures = [...own.failures, ...(build?.failures ?? [])];
  const warnings = [...own.warnings, ...(build?.warnings ?? [])];
  const isDone = /^(?:-- (?:Configuring|Generating) done|(?:\[ *\d+%\] )?Built target )/m.test(
    output.combined,
  );
  if (failures.length === 0 && warnings.length === 0 && !isDone) return build;
  return buildReport(failures, warnings);
};

/** `CMake Error at CMakeLists.txt:3 (find_package):` and the indented lines under it; `CMake Error: text`. */
function messagesOf(lines: readonly string[]): {
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
} {
  const failures: Finding[] = [];
  const warnings: Finding[] = [];
  for (const [index, line] of lines.entries()) {
    const match =
      /^CMake (Error|Warning|Deprecation Warning)(?: \(dev\))?(?: at (\S.*?):(\d+)(?: \((.+)\))?| in (\S.*?))?:(?: (.+))?$/.exec(
        line,
      );
    if (match === null) continue;
    const [, kind = "", file, at, command, folder, text = ""] = match;
    const following = lines.slice(index + 1);
    const end = following.findIndex((each) => /^\S/.test(each) && !each.startsWith("Call Stack"));
    const body = trimLines(end === -1 ? following : following.slice(0, end));
    const message = [text, unindent(body)].filter((part) => part !== "").join("\n");
    const place = file === undefined ? (folder ?? null) : placeOf(file, at);
    const finding = { name: command ?? "CMake", location: place, message };
    if (kind === "Error") failures.push(finding);
    else warnings.push(finding);
  }
  return { failures, warnings };
}

function unindent(text: string): string {
  return text.replaceAll(/^ {2}/gm, "").replaceAll(/\n{3,}/g, "\n\n");
}
