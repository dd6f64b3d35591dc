import { isObject, jsonLines, numberOf, textOf } from "../json-in-text.ts";
import { type Finding, makeReport, type ParseOutput, plural } from "../report.ts";

/** The end of a log is shown next to what it complains of. */
const tailLinesMax = 15;

type Level = "error" | "warning" | "other";

interface Entry {
  readonly level: Level;
  /** As the log words it. */
  readonly name: string;
  readonly lines: string[];
}

/** Logs of a container: errors and warnings, those that repeat counted, and the last lines. */
export const parseLogs: ParseOutput = ({ combined, exitCode }) => {
  const text = combined.trimEnd();
  const refusal =
    exitCode === 0
      ? null
      : /^(?:Error from server|error: |Error response from daemon: |Error: |The connection to the server).*$/m.exec(
          text,
        );
  if (refusal !== null) {
    const failures = [{ name: "logs", location: null, message: refusal[0] }];
    return makeReport({ summary: "failed", failed: 1, failures });
  }
  if (text === "") return makeReport({ summary: "no lines" });
  const lines = text.split("\n");
  const entries = entriesOf(lines);
  const errors = entries.filter(({ level }) => level === "error");
  const warned = entries.filter(({ level }) => level === "warning");
  if (exitCode !== 0 && errors.length + warned.length === 0) return undefined;
  const failures = collapse(errors);
  const parts = [
    errors.length === 0 ? "" : plural(errors.length, "error"),
    failures.length < errors.length ? `${failures.length} of them distinct` : "",
    warned.length === 0 ? "" : plural(warned.length, "warning"),
  ].filter((part) => part !== "");
  const size = plural(lines.length, "line");
  return makeReport({
    summary: parts.length === 0 ? `no errors in ${size}` : `${parts.join(", ")} in ${size}`,
    failed: errors.length,
    failures,
    warnings: collapse(warned),
    tail: lines.slice(-tailLinesMax).join("\n"),
  });
};

/** A line that has neither a time nor a level goes on the entry before it. */
function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const raw of lines) {
    // Compose and kubectl's --prefix put the container's name in front.
    const line = raw.replace(/^(?:[\w.-]+ +\| |\[pod\/\S+\] )/, "");
    const [level, name] = levelOf(line);
    const last = entries.at(-1);
    if (level !== "other" || startsEntry(line) || last === undefined)
      entries.push({ level, name, lines: [line] });
    else last.lines.push(line);
  }
  return entries;
}

const time =
  /^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ]?)?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\W? ?/;

function startsEntry(line: string): boolean {
  return time.test(line) || /^[{[]|^[IWEF]\d{4} \d\d:|^\w+=|^\d+(?:\.\d+){3} /.test(line);
}

function levelOf(line: string): readonly [Level, string] {
  const [object] = line.endsWith("}") ? jsonLines(line) : [];
  if (object !== undefined) {
    const value = object["level"] ?? object["severity"] ?? object["lvl"] ?? object["levelname"];
    // Pino and Bunyan count: 40 warns, 50 and 60 are errors.
    const count = numberOf(value);
    if (count > 0)
      return count >= 50 ? ["error", "ERROR"] : count >= 40 ? ["warning", "WARN"] : ["other", ""];
    return levelOfWord(isObject(value) ? "" : textOf(value));
  }
  const klog = /^([WEF])\d{4} \d\d:\d\d:\d\d/.exec(line)?.[1];
  if (klog !== undefined)
    return klog === "W" ? ["warning", "WARN"] : ["error", klog === "E" ? "ERROR" : "FATAL"];
  const logfmt = /\b(?:level|lvl|severity)="?(\w+)/i.exec(line)?.[1];
  if (logfmt !== undefined) return levelOfWord(logfmt);
  const head = line.slice(0, 120);
  const word =
    /(?:^|[\s[|(<])(ERROR|FATAL|CRITICAL|PANIC|SEVERE|EMERG|ALERT|WARN|WARNING|INFO|DEBUG|TRACE|NOTICE)(?=$|[\s\]|):>,])/.exec(
      head,
    )?.[1] ??
    /\[(error|fatal|crit|critical|panic|emerg|alert|warn|warning|info|debug|notice)\]/i.exec(
      head,
    )?.[1] ??
    /^(error|fatal|panic|warning|warn)(?=: )/i.exec(line.replace(time, ""))?.[1];
  return levelOfWord(word ?? "");
}

function levelOfWord(word: string): readonly [Level, string] {
  const name = word.toUpperCase();
  if (/^(?:ERR|ERROR|FATAL|CRIT|CRITICAL|PANIC|DPANIC|SEVERE|EMERG|EMERGENCY|ALERT)$/.test(name))
    return ["error", name];
  return /^WARN(?:ING)?$/.test(name) ? ["warning", name] : ["other", ""];
}

/** Entries that differ only in their time are one, with how often it came. */
function collapse(entries: readonly Entry[]): Finding[] {
  const groups = new Map<string, { readonly entry: Entry; count: number }>();
  for (const entry of entries) {
    const key = withoutTime(entry.lines.join("\n"));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { entry, count: 1 });
    else group.count += 1;
  }
  return [...groups.values()].map(({ entry, count }) => {
    const message = entry.lines.join("\n").trimEnd();
    const times = count === 1 ? "" : `\n(${count} times)`;
    return { name: entry.name, location: placeIn(message), message: message + times };
  });
}

function withoutTime(text: string): string {
  return text
    .replace(time, "")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, "")
    .replaceAll(/"(?:time|ts|timestamp)": ?[\d."]+,?/g, "")
    .replace(/^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /, "$1");
}

/** The innermost place of a trace of Python, the first of one of Java or Node. */
function placeIn(text: string): string | null {
  const python = [...text.matchAll(/^ +File "([^"]+)", line (\d+)/gm)].at(-1);
  if (python !== undefined) return `${python[1]}:${python[2]}`;
  return /^\s+at .*?\(?((?:\/|\w)[\w./-]*\.\w+:\d+(?::\d+)?)\)?$/m.exec(text)?.[1] ?? null;
}
