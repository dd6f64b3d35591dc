import type { FileComparison } from "./compare-file.ts";
import type { SymbolChange } from "./compare-symbol.ts";
import { joinLone, type JoinedSymbols, type LoneSymbol, withInner } from "./match-symbols.ts";
import type { NamedSymbol } from "./named-symbol.ts";

/** A changed file, with what the notes need of it. */
export interface NotedFile {
  /** As the answer shows it. */
  readonly path: string;
  /** Its earlier path, if it was another one. */
  readonly oldPath?: string;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied" | "untracked";
  /** Remarks on the file itself: that it is binary, or its mode. */
  readonly remarks: readonly string[];
  /** Absent where nothing was compared. */
  readonly comparison?: FileComparison;
}

/** Names listed in one sentence. */
const listedNameCountMax = 12;
const shownSignatureLengthMax = 160;

/** Symbols that moved from one file to another. */
export interface Travels {
  readonly comings: ReadonlyMap<LoneSymbol, JoinedSymbols>;
  readonly goings: ReadonlySet<LoneSymbol>;
  /** The file each of them was in. */
  readonly pathOfLone: ReadonlyMap<LoneSymbol, string>;
}

/** Finds symbols that were removed from one file and added to another, the same except for their name. */
export function findTravels(files: readonly NotedFile[]): Travels {
  const removed = files.flatMap(({ comparison }) => comparison?.removed ?? []);
  const added = files.flatMap(({ comparison }) => comparison?.added ?? []);
  const { joined } = joinLone(removed, added, { isOneFile: false });
  const pathOfLone = new Map<LoneSymbol, string>();
  for (const { path, comparison } of files) {
    for (const lone of comparison?.removed ?? []) pathOfLone.set(lone, path);
  }
  return {
    comings: new Map(joined.map((each) => [each.to, each])),
    goings: new Set(joined.map(({ from }) => from)),
    pathOfLone,
  };
}

/** The symbols that moved from one file to another, before and after, with all symbols inside of them. */
export function travelled(travels: Travels): ReadonlySet<NamedSymbol> {
  const lone = [...travels.goings, ...travels.comings.keys()];
  return new Set(lone.flatMap(({ named }) => withInner(named)));
}

/**
 * Says what the changes of some files mean: what was added, removed, renamed, moved; which signatures,
 * bodies, imports changed; what is only formatting.
 *
 * @param travels What `findTravels` found in the same files.
 * @returns One note for each file with something to report: its path, then what changed, with semicolons between.
 */
export function semanticNotes(
  files: readonly NotedFile[],
  travels: Travels = findTravels(files),
): readonly string[] {
  return files.flatMap((file) => {
    const notes = notesOnFile(file, travels);
    return notes.length === 0 ? [] : [`${file.path}: ${notes.join("; ")}`];
  });
}

function notesOnFile(file: NotedFile, travels: Travels): string[] {
  const { comparison, status, oldPath } = file;
  const notes: string[] = [];
  const verb = { added: "new file", untracked: "new file, untracked", deleted: "deleted file" };
  if (status === "renamed") notes.push(`renamed from ${oldPath ?? "another file"}`);
  if (status === "copied") notes.push(`copied from ${oldPath ?? "another file"}`);
  if (status in verb) {
    const head = verb[status as keyof typeof verb];
    const lone = status === "deleted" ? comparison?.removed : comparison?.added;
    const own = (lone ?? []).filter(
      (each) => !travels.comings.has(each) && !travels.goings.has(each),
    );
    const withNames = own.length === 0 ? [] : [`with ${namesOf(own.map(({ named }) => named))}`];
    notes.push([[head, ...withNames].join(" "), ...file.remarks].join("; "));
    notes.push(...comingNotes(comparison, travels));
    return notes;
  }
  notes.push(...file.remarks);
  if (comparison === undefined) return notes;
  if (comparison.only !== undefined) {
    const what = comparison.only === "formatting" ? "formatting" : "comments and formatting";
    return [...notes, `only ${what} changed`];
  }
  if (comparison.imports !== "") notes.push(`imports changed: ${comparison.imports}`);
  const added = comparison.added.filter((lone) => !travels.comings.has(lone));
  if (added.length > 0) notes.push(`added ${namesOf(added.map(({ named }) => named))}`);
  const removed = comparison.removed.filter((lone) => !travels.goings.has(lone));
  if (removed.length > 0) notes.push(`removed ${namesOf(removed.map(({ named }) => named))}`);
  notes.push(
    ...comingNotes(comparison, travels),
    ...matchNotes(comparison),
    ...changeNotes(comparison),
  );
  return notes;
}

/** Symbols that came from another file. */
function comingNotes(comparison: FileComparison | undefined, travels: Travels): string[] {
  const groups = new Map<string, string[]>();
  for (const lone of comparison?.added ?? []) {
    const joined = travels.comings.get(lone);
    if (joined === undefined) continue;
    const from = travels.pathOfLone.get(joined.from) ?? joined.from.version.path;
    const was = joined.from.named;
    const now = lone.named;
    const suffix = was.path === now.path ? "" : ` (was \`${was.path}\`)`;
    const names = groups.get(from) ?? [];
    names.push(`${now.kind} \`${now.path}\`${suffix}`);
    groups.set(from, names);
  }
  return [...groups].map(([from, names]) => `moved here from ${from}: ${listed(names)}`);
}

/** Symbols with another name or another place. */
function matchNotes({ matches }: FileComparison): string[] {
  const renamed: string[] = [];
  const moved: string[] = [];
  for (const { old, new: next, kind } of matches) {
    if (kind === "renamed") renamed.push(`${next.kind} \`${old.path}\` to \`${next.path}\``);
    if (kind === "moved")
      moved.push(
        old.path === next.path
          ? `${next.kind} \`${next.path}\``
          : `${next.kind} \`${old.path}\` to \`${next.path}\``,
      );
  }
  const notes: string[] = [];
  if (renamed.length > 0) notes.push(`renamed ${listed(renamed)}`);
  if (moved.length > 0) notes.push(`moved ${listed(moved)}`);
  return notes;
}

const sentenceOf: readonly (readonly [SymbolChange, (names: string) => string])[] = [
  ["definition", (names) => `definition changed: ${names}`],
  ["body", (names) => `body changed: ${names}`],
  ["comments", (names) => `only comments and formatting changed: ${names}`],
  ["formatting", (names) => `only formatting changed: ${names}`],
];

/** Symbols that kept their name and place, but changed. */
function changeNotes({ changes }: FileComparison): string[] {
  const notes: string[] = [];
  for (const { match, change } of changes) {
    if (change !== "signature" && change !== "signature and body") continue;
    const { old, new: next } = match;
    const signatures =
      old.symbol.signature === next.symbol.signature
        ? ""
        : `: ${shortened(old.symbol.signature)} -> ${shortened(next.symbol.signature)}`;
    notes.push(`${change} of \`${next.path}\` changed${signatures}`);
  }
  for (const [change, sentence] of sentenceOf) {
    const names = changes
      .filter((each) => each.change === change)
      .map(({ match }) => `\`${match.new.path}\``);
    if (names.length > 0) notes.push(sentence(listed(names)));
  }
  return notes;
}

function namesOf(symbols: readonly NamedSymbol[]): string {
  return listed(symbols.map(({ kind, path }) => `${kind} \`${path}\``));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, listedNameCountMax).join(", ");
  const more = names.length - listedNameCountMax;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function shortened(signature: string): string {
  if (signature.length <= shownSignatureLengthMax) return `\`${signature}\``;
  return `\`${signature.slice(0, shownSignatureLengthMax - 1).trimEnd()}…\``;
}
