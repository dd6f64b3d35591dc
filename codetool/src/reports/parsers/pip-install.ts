import { type Finding, makeReport, type ParseOutput, plural } from "../report.ts";

/** Output of `pip install`: what was installed, and why not. */
export const parsePipInstall: ParseOutput = ({ combined, exitCode }) => {
  const installed = /^Successfully installed (.+)$/m.exec(combined)?.[1]?.split(" ") ?? [];
  const satisfied = [...combined.matchAll(/^Requirement already satisfied: /gm)].length;
  const said = messagesOf(combined.split("\n"));
  // It warns of conflicts between packages as errors, and has installed what it should.
  const isDone = exitCode === 0;
  const failures = isDone ? [] : said.filter(({ name }) => name !== "WARNING");
  const warnings = isDone ? said : said.filter(({ name }) => name === "WARNING");
  if (installed.length + satisfied + said.length === 0) return undefined;
  const parts = [
    failures.length === 0 ? "" : plural(failures.length, "error"),
    installed.length === 0 ? "" : `installed ${plural(installed.length, "package")}`,
    satisfied === 0 ? "" : `${satisfied} already there`,
    warnings.length === 0 ? "" : plural(warnings.length, "warning"),
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join(", "),
    failed: failures.length,
    failures,
    warnings,
    ...(installed.length === 0 ? {} : { tail: installed.join("\n") }),
  });
};

/** `ERROR: text`, and `error: subprocess-exited-with-error` with what the build of a package printed under it. */
function messagesOf(lines: readonly string[]): Finding[] {
  const found: { readonly name: string; readonly lines: string[] }[] = [];
  let isInside = false;
  for (const line of lines) {
    const [, name = "", text = ""] = /^ {0,2}(ERROR|WARNING|error): (.+)$/.exec(line) ?? [];
    if (/^(?:No matching distribution found for |metadata-generation-failed$)/.test(text)) {
      // Only says again that what is above it failed.
      if (found.length > 0) continue;
    }
    if (name !== "") {
      found.push({ name, lines: [text] });
      isInside = name === "error";
    } else if (/^note: This error originates|^\S+: This is an issue with the package/.test(line))
      isInside = false;
    else if (isInside && /^ {2,}\S/.test(line))
      found.at(-1)?.lines.push(line.replace(/^ {2,6}/, ""));
  }
  return found.map(({ name, lines: text }) => ({
    name,
    location: null,
    message: text.join("\n"),
  }));
}
