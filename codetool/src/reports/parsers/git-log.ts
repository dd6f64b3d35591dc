import { makeReport, type ParseOutput, plural } from "../report.ts";

/** Output of `git log`: a line a commit; of statistics and patches the files with what was added and removed. */
export const parseGitLog: ParseOutput = ({ combined, exitCode, words }) => {
  const fatal = /^(?:fatal|error): .+(?:\n(?!commit ).+)*/m.exec(combined);
  if (fatal !== null && exitCode !== 0) {
    const failures = [{ name: "git", location: null, message: fatal[0].trim() }];
    return makeReport({ summary: "failed", failed: 1, failures });
  }
  const lines = combined.split("\n");
  const commits = commitsOf(lines);
  if (commits.length > 0) {
    const tail = commits.flatMap(lineOf).join("\n");
    return makeReport({ summary: plural(commits.length, "commit"), tail });
  }
  if (exitCode !== 0) return undefined;
  const text = combined.trimEnd();
  if (text === "") return makeReport({ summary: "0 commits" });
  const short = lines.filter((line) => /^[\s*|/\\_]*[0-9a-f]{7,40} \S/.test(line));
  const isShort = words.some((word) => /^--(?:oneline|pretty=oneline|format=oneline)$/.test(word));
  const all = text.split("\n").length;
  const isGraph = words.includes("--graph");
  if (isShort || short.length === all || isGraph)
    return makeReport({ summary: plural(short.length, "commit"), tail: text });
  // Some format of the caller's own: all of it.
  return makeReport({ summary: plural(all, "line"), tail: text });
};

interface Commit {
  readonly hash: string;
  /** `HEAD -> main, tag: v1`. */
  readonly names: string;
  author: string;
  date: string;
  readonly message: string[];
  readonly files: string[];
}

/** Commits of the formats `medium`, `short`, `full` and `fuller`, behind the lines of a graph too. */
function commitsOf(lines: readonly string[]): Commit[] {
  const commits: Commit[] = [];
  let patch: { readonly path: string; added: number; removed: number } | undefined;
  const closePatch = (): void => {
    if (patch !== undefined)
      commits.at(-1)?.files.push(`${patch.path} +${patch.added} -${patch.removed}`);
    patch = undefined;
  };
  for (const raw of lines) {
    const head = /^[*|/\\ _]*commit ([0-9a-f]{7,64})(?: [0-9a-f]{7,64})*(?: \((.+)\))?$/.exec(raw);
    if (head !== null) {
      closePatch();
      const [, hash = "", names = ""] = head;
      commits.push({ hash, names, author: "", date: "", message: [], files: [] });
      continue;
    }
    const commit = commits.at(-1);
    if (commit === undefined) continue;
    const file = /^diff --(?:git a\/.* b\/(.+)|cc (.+))$/.exec(raw);
    if (file !== null) {
      closePatch();
      patch = { path: file[1] ?? file[2] ?? "", added: 0, removed: 0 };
    } else if (patch !== undefined) {
      if (/^\+(?!\+\+ )/.test(raw)) patch.added += 1;
      else if (/^-(?!-- )/.test(raw)) patch.removed += 1;
    } else readLine(commit, raw.replace(/^[*|/\\_](?:[*|/\\_ ])*? ?(?=\S*:|\s{4}|$)/, ""));
  }
  closePatch();
  return commits;
}

function readLine(commit: Commit, line: string): void {
  const author = /^Author: +(.*?)(?: <[^>]*>)?$/.exec(line)?.[1];
  const date = /^(?:AuthorDate|Date): +(.*)$/.exec(line)?.[1];
  const text = /^ {4}(.*)$/.exec(line)?.[1];
  const stat = /^ (\S.*?) +\| +(\d+ ?[+-]*|Bin.*)$/.exec(line);
  const raw = /^([AMDTUX]|[RC]\d+)\t(.+)$/.exec(line);
  if (author !== undefined) commit.author = author;
  else if (date !== undefined) commit.date = date;
  else if (text !== undefined) commit.message.push(text);
  else if (stat !== null) commit.files.push(`${stat[1] ?? ""} | ${stat[2] ?? ""}`);
  else if (raw !== null) commit.files.push(`${raw[1] ?? ""} ${raw[2] ?? ""}`);
}

/** `0cd024a 2026-05-01 [Ada Example] (HEAD -> main) subject`. */
function lineOf({ hash, names, author, date, message, files }: Commit): string[] {
  const body = message.filter((line) => line.trim() !== "");
  // The day as the author's clock had it.
  const time = Date.parse(date.replace(/ [+-]\d{4}$/, " UTC"));
  const day = Number.isNaN(time) ? date : new Date(time).toISOString().slice(0, 10);
  const parts = [
    hash.slice(0, 7),
    day,
    author === "" ? "" : `[${author}]`,
    names === "" ? "" : `(${names})`,
    body[0]?.trim() ?? "",
    body.length > 1 ? `(+${plural(body.length - 1, "line")})` : "",
  ];
  return [parts.filter((part) => part !== "").join(" "), ...files.map((file) => `  ${file}`)];
}
