import { commandsIn, type ReadScript } from "./commands-in.ts";
import { readPackages } from "./read-packages.ts";
import type { ReadReport, ToolOutput } from "./report.ts";
import { findTool, programName, type Tool } from "./tool.ts";
import { tools } from "./tools.ts";

interface Candidate {
  readonly tool: Tool;
  readonly words: readonly string[];
}

/** What a report is read with. */
export interface ReadReportOptions {
  /** Gives the text of a package's script. */
  readonly readScript: ReadScript;
  /** The tools; default all. */
  readonly table?: readonly Tool[];
}

/**
 * Reads the output of a command: by the tool that its words name, and where those do not tell or nothing comes of it, by
 * the marks in the output. Of several commands, as in `a && b`, the last one's report counts, unless only an earlier one
 * explains the failure. Of scripts of several packages that npm ran, the reports are added up.
 */
export function readReport(
  argv: readonly string[],
  output: Omit<ToolOutput, "words">,
  options: ReadReportOptions,
): ReadReport {
  return readPackages(output, (own, command = argv) => readCommand(command, own, options));
}

function readCommand(
  argv: readonly string[],
  output: Omit<ToolOutput, "words">,
  { readScript, table = tools }: ReadReportOptions,
): ReadReport {
  const named: Candidate[] = [];
  const commands = commandsIn(argv, readScript);
  for (const { words } of commands) {
    const found = findTool(table, words);
    if (found !== undefined) named.unshift({ tool: found.tool, words });
  }
  const isShown = commands.every(({ words }) => showsText(words[0] ?? ""));
  const marked = (isShown ? [] : table)
    .filter((tool) => tool.isRunner !== true || named.length === 0)
    .filter((tool) => tool.signature?.test(output.combined) === true)
    .map((tool): Candidate => ({ tool, words: [] }));
  const [runners, others] = [true, false].map((wanted) =>
    named.filter(({ tool }) => (tool.isRunner === true) === wanted),
  ) as [Candidate[], Candidate[]];
  // A test runner that measures coverage because of a setting outside of its command line.
  const tests = named.find(({ tool }) => tool.family === "tests");
  const covering = (tests === undefined ? [] : marked)
    .filter(({ tool }) => tool.family === "coverage")
    .map(({ tool }): Candidate => ({ tool, words: tests?.words ?? [] }));
  const attempts = [covering, others, marked, runners].map((candidates) =>
    readBy(candidates, output),
  );
  const defect = attempts.find((attempt) => attempt?.defect !== undefined);
  const best = attempts.find(
    (attempt) => attempt?.report !== undefined && explains(attempt, output),
  );
  const any = attempts.find((attempt) => attempt?.report !== undefined);
  return best ?? defect ?? any ?? { tool: named[0]?.tool.id ?? "unknown" };
}

function readBy(
  candidates: readonly Candidate[],
  output: Omit<ToolOutput, "words">,
): ReadReport | undefined {
  let first: ReadReport | undefined;
  for (const { tool, words } of candidates) {
    let read: ReadReport;
    try {
      const report = tool.parse({ ...output, words });
      if (report === undefined) continue;
      read = { tool: tool.id, report };
    } catch (defect) {
      read = { tool: tool.id, defect };
    }
    if (explains(read, output)) return read;
    first ??= read;
  }
  return first;
}

/** Programs that print what others wrote: an old log they show is nobody's output. */
function showsText(program: string): boolean {
  return shows.has(programName(program));
}

const shows: ReadonlySet<string> = new Set(
  "cat bat head tail less more grep egrep fgrep rg ag ack sed awk gawk jq yq cut sort uniq tee nl tac diff git gh echo printf ls find fd curl wget xargs cd true codetool".split(
    " ",
  ),
);

/** A report explains an exit code when there is nothing to explain, or it names a failure. */
function explains(
  { report }: ReadReport,
  { exitCode }: { readonly exitCode: number | null },
): boolean {
  return (
    exitCode === 0 || (report !== undefined && (report.failed > 0 || report.failures.length > 0))
  );
}
