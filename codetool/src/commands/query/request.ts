import { errors } from "../../envelope/index.ts";
import { type ContextUnit, readQuery } from "../../search/index.ts";

/** What `search` is asked for, checked. */
export interface SearchRequest {
  readonly query: string;
  /** At least one. */
  readonly paths: readonly string[];
  /** Of files to search, as `compileFilePatterns` takes them; none for all. */
  readonly globs: readonly string[];
  /** Languages, or extensions of them; none for all. */
  readonly types: readonly string[];
  /** Of a text or pattern: letters in upper and lower case are alike. */
  readonly isCaseIgnored: boolean;
  /** Of a text or pattern: it begins and ends where words do. */
  readonly isWordOnly: boolean;
  /** From the flags; `null` lets the query decide. */
  readonly way: "literal" | "pattern" | "bm25" | "hybrid" | "semantic" | "structural" | null;
  /** Fused ranks instead of the default ranker; `alpha` as given, else chosen by the query. */
  readonly fusion: { readonly alpha?: number } | null;
  readonly topK: number;
  readonly context: ContextUnit;
  readonly isExistsOnly: boolean;
  readonly isExplained: boolean;
  /** Whether the first match of each file shows the file's hash. */
  readonly isHashed: boolean;
  readonly continuationToken?: string;
  readonly budgetTokens?: number;
}

/** The flags that say how to search: those of `search`, some of which `bench-ndcg` has too. */
export interface SearchFlags {
  readonly query: string;
  readonly path?: readonly string[] | undefined;
  readonly glob?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly ignore_case?: boolean | undefined;
  readonly word?: boolean | undefined;
  readonly literal?: boolean | undefined;
  readonly regex?: boolean | undefined;
  readonly semantic?: boolean | undefined;
  readonly structural?: boolean | undefined;
  readonly mode?: Mode | undefined;
  readonly ranker?: "linear" | "rrf" | undefined;
  readonly alpha?: number | undefined;
  readonly top_k?: number | undefined;
  readonly context?: Exclude<ContextUnit, number> | `${number}` | undefined;
  readonly exists?: boolean | undefined;
  readonly explain?: boolean | undefined;
  readonly hash?: boolean | undefined;
  readonly continue?: string | undefined;
  readonly budget?: number | undefined;
}

type Mode = "literal" | "bm25" | "hybrid" | "semantic" | "structural";

const topKDefault = 5;
const queryCharactersMax = 10_000;

/**
 * Reads the input of `search`.
 *
 * @throws invalid_argument for an empty query, flags that exclude each other, and modes that this build lacks.
 */
export function readSearchRequest(input: SearchFlags): SearchRequest {
  const { query } = input;
  if (query.trim() === "")
    throw new errors.invalid_argument({ argument: "query", reason: "it is empty" });
  if (query.length > queryCharactersMax)
    throw new errors.invalid_argument({
      argument: `query ${query.slice(0, 40)}…`,
      reason: `it has ${query.length} characters, wanted at most ${queryCharactersMax}`,
    });
  const way = asText(input, wayOf(input));
  const fusion = fusionOf(input, way);
  const { path: paths = [] } = input;
  return {
    query,
    paths: paths.length === 0 ? ["."] : paths,
    globs: input.glob ?? [],
    types: (input.type ?? []).flatMap((type) => type.split(",")),
    isCaseIgnored: input.ignore_case === true,
    isWordOnly: input.word === true,
    way: fusion !== null && way === null ? "hybrid" : way,
    fusion,
    topK: input.top_k ?? topKDefault,
    context: contextOf(input.context),
    isExistsOnly: input.exists === true,
    isExplained: input.explain === true,
    isHashed: input.hash === true,
    ...(input.continue === undefined ? {} : { continuationToken: input.continue }),
    ...(input.budget === undefined ? {} : { budgetTokens: input.budget }),
  };
}

function wayOf(input: SearchFlags): SearchRequest["way"] {
  const given: readonly Mode[] = [
    ...(input.literal === true ? ["literal" as const] : []),
    ...(input.semantic === true ? ["semantic" as const] : []),
    ...(input.structural === true ? ["structural" as const] : []),
    ...(input.mode === undefined ? [] : [input.mode]),
  ];
  const modes = [...new Set(given)];
  if (modes.length > 1)
    throw new errors.invalid_argument({
      argument: modes.join(" and "),
      reason: "a search has one mode",
    });
  const [mode] = modes;
  if (input.regex === true) {
    if (mode !== undefined && mode !== "literal")
      throw new errors.invalid_argument({
        argument: `regex and mode ${mode}`,
        reason: "regex goes only with mode literal",
      });
    return "pattern";
  }
  return mode ?? null;
}

/**
 * The way of a search whose text is to be found as a whole word or in any case: as text, however many words it has.
 *
 * @throws invalid_argument with a mode that does not look for a text.
 */
function asText(input: SearchFlags, way: SearchRequest["way"]): SearchRequest["way"] {
  const flags = [
    ...(input.ignore_case === true ? ["ignore_case"] : []),
    ...(input.word === true ? ["word"] : []),
  ];
  const [flag] = flags;
  if (flag === undefined) return way;
  if (way !== null && way !== "literal" && way !== "pattern")
    throw new errors.invalid_argument({
      argument: `${flag} and mode ${way}`,
      reason: `${flag} is for text and patterns: modes that rank words tell no case`,
    });
  if (/[\r\n]/.test(input.query))
    throw new errors.invalid_argument({
      argument: flag,
      reason: "it is for a query of one line",
    });
  const read = readQuery(input.query).way;
  return way === null && read !== "literal" && read !== "pattern" ? "literal" : way;
}

/** Lines around a match that are shown at most, each way. */
const contextLinesMax = 200;

function contextOf(given: SearchFlags["context"] = "none"): ContextUnit {
  const count = Number(given);
  if (Number.isNaN(count)) return given as Exclude<ContextUnit, number>;
  return Math.min(count, contextLinesMax);
}

/**
 * Reads whether fused ranks are asked for. A mode with only one side fixes how much meaning counts: 0 for bm25, 1 for
 * semantic.
 */
function fusionOf(input: SearchFlags, way: SearchRequest["way"]): SearchRequest["fusion"] {
  const { alpha, ranker } = input;
  if (ranker !== "rrf" && alpha === undefined) return null;
  if (ranker === "linear")
    throw new errors.invalid_argument({
      argument: "alpha and ranker linear",
      reason: "alpha is for ranker rrf",
    });
  const given = alpha === undefined ? "ranker rrf" : "alpha";
  if (way === "literal" || way === "pattern" || way === "structural")
    throw new errors.invalid_argument({
      argument: `${given} and ${way === "pattern" ? "regex" : `mode ${way}`}`,
      reason: "ranks are fused in the modes hybrid, bm25 and semantic",
    });
  if (way === "bm25" || way === "semantic") {
    const own = way === "bm25" ? 0 : 1;
    if (alpha !== undefined && alpha !== own)
      throw new errors.invalid_argument({
        argument: `alpha and mode ${way}`,
        reason: `mode ${way} has alpha ${own}`,
      });
    return { alpha: own };
  }
  return alpha === undefined ? {} : { alpha };
}
