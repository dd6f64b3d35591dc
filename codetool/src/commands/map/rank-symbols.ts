import { classOfPath } from "../../files/index.ts";
import { filesOfDocuments, referenceTermOf } from "../../imports/index.ts";
import { isDataFormat } from "../../syntax/index.ts";
import type { ProjectCorpus, SymbolUsers } from "../project/index.ts";
import type { RankedSymbol } from "./payload.ts";

/** Files whose symbols are ranked: those of the highest rank. */
const fileCountMax = 300;
/** Symbols of a file that are ranked, and of all files. */
const ownSymbolsMax = 150;
const symbolCountMax = 8000;
/** Characters of a declaration that are shown. */
const signatureLengthMax = 140;
/** A name that so many files define says little. */
const commonDefinersMin = 6;

/** How much of a file's weight a symbol gets, compared with other symbols that the file uses. */
const weights = { hidden: 0.1, common: 0.1, distinct: 2, member: 0.3, value: 0.2 };
const distinctLengthMin = 8;
/** A file keeps that much to itself, so that one that uses a single symbol does not give it all that it has. */
const keptWeight = 3;
/** How much tests count as users, which use everything. */
const testWeight = 0.3;

/** In these a linker or a runtime joins files, whatever they import. */
const joinedLanguages = /^(?:c|cpp|ruby|php|elixir)$/;

interface Candidate {
  readonly symbol: Omit<RankedSymbol, "score" | "parent">;
  readonly parent: Candidate | undefined;
  readonly users: Uint32Array;
  readonly weight: number;
}

/**
 * Ranks the symbols of some files: the rank of each file flows on to the symbols that it uses, by their weight. So what
 * important files use is important, as with the files themselves.
 *
 * @param files Numbers of files.
 * @param ranks The rank of each file of the project.
 * @returns Best first; those that no other file uses come last, the files of the highest rank first.
 */
export function rankSymbols(
  files: readonly number[],
  ranks: Float32Array,
  { project, users }: { readonly project: ProjectCorpus; readonly users: SymbolUsers },
): RankedSymbol[] {
  const rankOf = (file: number): number => ranks[file] ?? 0;
  const best = files
    .toSorted((one, other) => rankOf(other) - rankOf(one) || one - other)
    .slice(0, fileCountMax);
  const candidates: Candidate[] = [];
  for (const file of best) {
    if (candidates.length >= symbolCountMax) break;
    candidates.push(...candidatesOf(file, project, users));
  }
  const taken = new Map<number, number>();
  for (const { users: own, weight } of candidates)
    for (const user of own) taken.set(user, (taken.get(user) ?? 0) + weight);
  const isTest = new Map<number, boolean>();
  const givenBy = (user: number): number => {
    const known = isTest.get(user) ?? classOfPath(project.corpus.pathOf(user)) === "test";
    isTest.set(user, known);
    return (rankOf(user) * (known ? testWeight : 1)) / (keptWeight + (taken.get(user) ?? 0));
  };
  const ranked = new Map<Candidate, RankedSymbol>();
  for (const candidate of candidates) {
    const { symbol, parent, weight } = candidate;
    let score = 0;
    for (const user of candidate.users) score += givenBy(user) * weight;
    const around = parent === undefined ? undefined : ranked.get(parent);
    ranked.set(candidate, { ...symbol, parent: around, score });
  }
  return [...ranked.values()].sort(
    (one, other) =>
      other.score - one.score ||
      rankOf(other.file) - rankOf(one.file) ||
      one.file - other.file ||
      one.depth - other.depth ||
      one.at - other.at,
  );
}

/** What a file offers: its definitions at file level, and the members of its types. */
function candidatesOf(file: number, project: ProjectCorpus, users: SymbolUsers): Candidate[] {
  const { corpus } = project;
  const { language } = corpus.file(file);
  if (isDataFormat(language)) return [];
  const signatures = corpus.signaturesOf(file);
  const containers = corpus.containersOf(file);
  const symbols = corpus.symbolsOf(file);
  const found = new Map<number, Candidate>();
  const names = new Set<string>();
  for (const [at, { name, kind, parent, isExported, startLine1 }] of symbols.entries()) {
    if (found.size >= ownSymbolsMax) break;
    const outer = parent === null ? undefined : symbols[parent];
    const type = parent === null ? undefined : found.get(parent);
    const isOfType = type !== undefined && outer?.kind !== "module";
    if (kind === "module" || (outer !== undefined && outer.kind !== "module" && !isOfType))
      continue;
    // In a shell every assignment is one.
    if (kind === "const" && language === "bash") continue;
    if (isOfType && (kind === "const" || /^(?:function|method)$/.test(outer?.kind ?? ""))) continue;
    // Overloads share a name; what is private has no users elsewhere.
    const key = `${parent ?? ""} ${containers[at] ?? ""} ${name}`;
    const isConstructor =
      isOfType && (name === outer?.name || /^(?:constructor|__init__|new)$/.test(name));
    if (names.has(key) || isConstructor || (isOfType && !isExported)) continue;
    names.add(key);
    const isMember = isOfType || (kind === "method" && (containers[at] ?? "") !== "");
    found.set(at, {
      symbol: {
        file,
        at,
        line1: startLine1,
        depth: type === undefined ? 0 : type.symbol.depth + 1,
        signature: shownSignature(signatures[at] ?? name),
      },
      parent: type,
      users: usersOf(name, { file, type, isMember, language, project, users }),
      weight: weightOf(name, { kind, isExported, isMember, project }),
    });
  }
  return [...found.values()];
}

function usersOf(
  name: string,
  of: {
    readonly file: number;
    readonly type: Candidate | undefined;
    readonly isMember: boolean;
    readonly language: string | null;
    readonly project: ProjectCorpus;
    readonly users: SymbolUsers;
  },
): Uint32Array {
  const { file, type, isMember, language, project, users } = of;
  const near = users.candidatesOf(name, file);
  if (type !== undefined) {
    const ofType = new Set(type.users);
    return near.filter((user) => ofType.has(user));
  }
  if (near.length > 0 || isMember || !joinedLanguages.test(language ?? "")) return near;
  const { corpus } = project;
  const term = referenceTermOf(name);
  const isAlone = corpus.definerCountOf(name) === 1;
  if (term === null || !isAlone || name.length < distinctLengthMin) return near;
  const { documents } = corpus.postingsOf("body", term);
  return filesOfDocuments(documents, corpus.chunkStarts.subarray(1)).filter(
    (user) => user !== file,
  );
}

function weightOf(
  name: string,
  of: {
    readonly kind: string;
    readonly isExported: boolean;
    readonly isMember: boolean;
    readonly project: ProjectCorpus;
  },
): number {
  const definers = of.project.corpus.definerCountOf(name);
  const isDistinct =
    name.length >= distinctLengthMin && (/[_-]/.test(name) || /\p{Ll}\p{Lu}/u.test(name));
  return (
    (of.isExported && !name.startsWith("_") ? 1 : weights.hidden) *
    (definers >= commonDefinersMin ? weights.common : 1) *
    (isDistinct ? weights.distinct : 1) *
    (of.isMember ? weights.member : 1) *
    (of.kind === "const" ? weights.value : 1)
  );
}

function shownSignature(signature: string): string {
  if (signature.length <= signatureLengthMax) return signature;
  return `${signature.slice(0, signatureLengthMax - 1).trimEnd()}…`;
}
