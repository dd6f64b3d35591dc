import { execFileSync } from "node:child_process";
import type { ComparedLanguage } from "./languages.ts";

/** A tag as ctags prints it. */
export interface Tag {
  readonly name: string;
  readonly kind: string;
  readonly line1: number;
  /** What it lies in: names of it, joined by dots, and the kind of the innermost. */
  readonly scope: string;
  readonly scopeKind: string;
}

const outputBytesMax = 1024 * 1024 * 1024;

/**
 * The tags of files, by their paths.
 *
 * @throws When there is no ctags that prints JSON.
 */
export function readTags(
  { ctags, ctagsKinds, optionalKinds = [] }: ComparedLanguage,
  files: readonly string[],
): Map<string, Tag[]> {
  const options =
    "--options=NONE --output-format=json --fields=+nKsZ --extras=+F --sort=no -f - -L -".split(" ");
  const output = execFileSync(
    "ctags",
    [...options, "--kinds-C=+p", "--kinds-C++=+p", `--language-force=${ctags}`],
    {
      input: files.join("\n"),
      encoding: "utf8",
      maxBuffer: outputBytesMax,
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  const tags = new Map<string, Tag[]>();
  for (const line of output.split("\n")) {
    const tag = line === "" ? {} : parseTag(line);
    const { path, name, kind, line: line1, scope = "", scopeKind = "" } = tag;
    if (path === undefined || name === undefined || kind === undefined || line1 === undefined)
      continue;
    // A name that ctags made up for what has none.
    if (
      ![...ctagsKinds, ...optionalKinds].includes(kind) ||
      /^__anon|^AnonymousClass|^anonymous|^<(?:lambda|anonymous)>$/i.test(name)
    )
      continue;
    const list = tags.get(path) ?? [];
    if (list.length === 0) tags.set(path, list);
    list.push({ name, kind, line1, scope, scopeKind });
  }
  return tags;
}

interface PrintedTag {
  readonly path?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly line?: number;
  readonly scope?: string;
  readonly scopeKind?: string;
}

function parseTag(line: string): PrintedTag {
  try {
    return JSON.parse(line) as PrintedTag;
  } catch {
    // A name in another encoding than UTF-8 makes a line that is no JSON.
    return {};
  }
}
