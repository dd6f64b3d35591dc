import { ConfigError, takerOf } from "../../configs/index.ts";
import { errors } from "../../envelope/index.ts";
import { contentHash, encodeExactly } from "../../text/index.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import type { FileAddition } from "./frameworks.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { FileAction } from "./payload.ts";

/** What is to become of one file. */
export interface PlannedFile extends ConfigFile {
  readonly framework: string;
  readonly action: FileAction;
  /** The new content; `undefined` where the file is to be gone, or is not there and stays so. */
  readonly after: Buffer | undefined;
  /** True when `init` changes the file for the first time: its content is kept then. */
  readonly isFirst: boolean;
  /** The mode of a file that is made. */
  readonly mode: number;
  /** What the ledger says of it now, and is to say: `undefined` where it says nothing. */
  readonly entry: LedgerEntry | undefined;
  readonly nextEntry: LedgerEntry | undefined;
  /** What somebody should know of it, one line. */
  readonly warning?: string;
}

/**
 * Plans how something is added to a file. What is there already stays, and what was put in by an earlier version is
 * brought up to date.
 *
 * @throws parse_error for a file that cannot be parsed or has no room for it; what `readConfigFile` throws.
 */
export async function planAddition(
  { path, addition, mode }: FileAddition,
  framework: string,
  entry: LedgerEntry | undefined,
): Promise<PlannedFile> {
  const file = readConfigFile(path);
  const { text } = file.text;
  const kept = {
    ...file,
    framework,
    mode,
    entry,
    after: file.bytes,
    action: "unchanged" as const,
    isFirst: false,
  };
  return await explained(path, async () => {
    const state = addition.find(text);
    if (state === "same")
      return { ...kept, nextEntry: entry && { ...entry, frameworks: joined(entry, framework) } };
    let base = text;
    if (state === "other") {
      const taken =
        entry === undefined && !addition.isMarked
          ? undefined
          : await without(file, entry, addition);
      const warning = `"${path}" has a codetool of somebody else's: it is left as it is`;
      if (taken === undefined) return { ...kept, nextEntry: entry, warning };
      base = taken;
    }
    const made = addition.add(base);
    const after = encoded(made.text, file);
    const action = file.bytes === undefined ? "created" : "changed";
    const nextEntry: LedgerEntry = {
      path,
      frameworks: joined(entry, framework),
      isCreated: entry?.isCreated ?? file.bytes === undefined,
      backup: entry?.backup ?? null,
      kind: addition.kind,
      added: made.added,
      offset: offsetOf(base, made.text),
      hash: await contentHash(after),
    };
    const isFirst = file.bytes !== undefined && (state === "none" || entry === undefined);
    return { ...kept, action, after, nextEntry, isFirst };
  });
}

/**
 * Plans how what the ledger says is taken out of a file.
 *
 * @param frameworks Those that want it no longer: it stays while others do.
 * @throws as `planAddition` does.
 */
export async function planRemoval(
  entry: LedgerEntry,
  frameworks: readonly string[],
): Promise<PlannedFile> {
  const { path } = entry;
  const file = readConfigFile(path);
  const framework = entry.frameworks.find((name) => frameworks.includes(name)) ?? "";
  const others = entry.frameworks.filter((name) => !frameworks.includes(name));
  const kept = {
    ...file,
    framework,
    mode: 0o644,
    entry,
    after: file.bytes,
    action: "unchanged" as const,
    isFirst: false,
  };
  if (others.length > 0) return { ...kept, nextEntry: { ...entry, frameworks: others } };
  if (file.bytes === undefined) return { ...kept, nextEntry: undefined };
  return await explained(path, async () => {
    const taken = await without(file, entry, takerOf(entry.kind));
    if (taken === undefined) {
      // Somebody has taken it out already; a file of ours that somebody has changed is theirs.
      if (entry.kind.kind !== "file") return { ...kept, nextEntry: undefined };
      const warning = `"${path}" was changed since it was written: it is left as it is`;
      return { ...kept, nextEntry: undefined, warning };
    }
    if (taken === "" && entry.isCreated)
      return { ...kept, action: "removed", after: undefined, nextEntry: undefined };
    return { ...kept, action: "changed", after: encoded(taken, file), nextEntry: undefined };
  });
}

/** The text without what was added; exactly as before where nobody has changed it since. */
async function without(
  { bytes, text: { text } }: ConfigFile,
  entry: LedgerEntry | undefined,
  taker: { readonly take: (text: string, added: string) => string | undefined },
): Promise<string | undefined> {
  const { added, offset, hash } = entry ?? { added: "", offset: 0, hash: "" };
  const isAsWritten = bytes !== undefined && hash === (await contentHash(bytes));
  if (isAsWritten) return text.slice(0, offset) + text.slice(offset + added.length);
  return taker.take(text, added);
}

function joined(entry: LedgerEntry | undefined, framework: string): readonly string[] {
  return [...new Set([...(entry?.frameworks ?? []), framework])];
}

/** Where a longer text has something that the shorter does not. */
function offsetOf(shorter: string, longer: string): number {
  let offset = 0;
  while (offset < shorter.length && shorter[offset] === longer[offset]) offset += 1;
  return offset;
}

function encoded(text: string, { path, text: like }: ConfigFile): Buffer {
  const bytes = encodeExactly(text, like);
  if (!("unencodable" in bytes)) return bytes;
  throw new errors.parse_error({
    path,
    reason: `it is in ${like.encoding}, which has no "${bytes.unencodable}"`,
  });
}

async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new errors.parse_error({ path, reason: error.message }, { cause: error });
  }
}
