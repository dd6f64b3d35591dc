import { type CountTokens, fitBudget } from "../../envelope/index.ts";
import type { LineCommit } from "../../git/index.ts";

/** The definition that is explained. */
export interface ExplainedDefinition {
  /** With the types around it: `Class.method`. */
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  /** 1-based, inclusive. */
  readonly lines: { readonly start: number; readonly end: number };
  readonly signature: string;
  readonly exported: boolean;
  /** What is written about it, without marks of comments. */
  readonly doc?: string;
  /** The end of the documentation is left out. */
  readonly doc_truncated?: true;
  /** Its text, where that takes at most a part of the budget. */
  readonly code?: string;
}

/** A definition of the same name. */
export interface OtherDefinition {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
}

/** A place that uses the symbol: one for each function around. */
export interface UsePlace {
  readonly file: string;
  readonly line: number;
  /** The function or type around it, as `Class.method`; absent at file level. */
  readonly in?: string;
  /** The line without white space around it; a long one is cut. */
  readonly text: string;
  /** How sure it is that this symbol is meant, as in `impact`. */
  readonly confidence: string;
  /** Further lines in the same function. */
  readonly more_lines?: readonly number[];
  /** Of a test that does not name the symbol: what it uses that does. */
  readonly via?: string;
}

/** A definition that the symbol's code uses. */
export interface Callee {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly signature: string;
  readonly confidence: string;
}

/** The payload of `explain`. */
export type ExplainPayload = {
  readonly root: string;
  /** As it was asked for. */
  readonly symbol: string;
  readonly definition: ExplainedDefinition;
  readonly callers: readonly UsePlace[];
  readonly tests: readonly UsePlace[];
  readonly callees: readonly Callee[];
  /** The newest first; without those that only moved its lines. */
  readonly changes: readonly LineCommit[];
  /** Some of its lines differ from the last commit. */
  readonly uncommitted?: true;
  readonly others: readonly OtherDefinition[];
  readonly stats: {
    /** How many there are of each, shown or not. */
    readonly callers: number;
    readonly caller_files: number;
    readonly tests: number;
    readonly callees: number;
    readonly others: number;
    readonly budget_used?: number;
  };
  readonly truncated: boolean;
};

/** All that may be shown, each part best first. */
export interface ExplainParts {
  readonly root: string;
  readonly symbol: string;
  readonly definition: ExplainedDefinition;
  readonly callers: readonly UsePlace[];
  readonly callerFileCount: number;
  readonly tests: readonly UsePlace[];
  readonly callees: readonly Callee[];
  readonly changes: readonly LineCommit[];
  readonly isUncommitted: boolean;
  readonly others: readonly OtherDefinition[];
}

/** The largest part of a budget that the text of the definition may take. */
const codeShareMax = 0.35;
/** How many of each part come before the rest of all. */
const firstCounts = { caller: 8, test: 3, callee: 8, change: 3, other: 3 };

type Item =
  | { readonly part: "doc" | "code" }
  | { readonly part: "caller" | "test"; readonly value: UsePlace }
  | { readonly part: "callee"; readonly value: Callee }
  | { readonly part: "change"; readonly value: LineCommit }
  | { readonly part: "other"; readonly value: OtherDefinition };

/**
 * Makes the payload of what fits the budget: the documentation, the text where it takes no more than a third, the first
 * of each part, and then the rest of callers, callees, tests, commits and other definitions.
 */
export function explainPayload(
  parts: ExplainParts,
  budget: {
    readonly budgetTokens: number;
    readonly countTokens: CountTokens;
    /** True when the caller gave no budget: then the payload does not say how much of it is used. */
    readonly isDefault: boolean;
  },
): ExplainPayload {
  const { budgetTokens, countTokens, isDefault } = budget;
  const { doc, doc_truncated, code, ...head } = parts.definition;
  const isCodeShown =
    code !== undefined && countTokens(JSON.stringify(code)) <= budgetTokens * codeShareMax;
  const valuesOf = <Part extends Item["part"]>(kept: readonly Item[], part: Part) =>
    kept.flatMap((item) =>
      item.part === part && "value" in item
        ? [item.value as Extract<Item, { part: Part; value: unknown }>["value"]]
        : [],
    );
  const { data } = fitBudget({
    items: itemsOf(parts, { hasDoc: doc !== undefined, isCodeShown }),
    budgetTokens,
    countTokens,
    addedText: (item) =>
      `${JSON.stringify("value" in item ? item.value : parts.definition[item.part])},`,
    render: (kept, budgetUsed, isTruncated): ExplainPayload => ({
      root: parts.root,
      symbol: parts.symbol,
      definition: {
        ...head,
        ...(kept.some(({ part }) => part === "doc")
          ? { doc, ...(doc_truncated === undefined ? {} : { doc_truncated }) }
          : {}),
        ...(kept.some(({ part }) => part === "code") ? { code } : {}),
      },
      callers: valuesOf(kept, "caller"),
      tests: valuesOf(kept, "test"),
      callees: valuesOf(kept, "callee"),
      changes: valuesOf(kept, "change"),
      ...(parts.isUncommitted ? { uncommitted: true } : {}),
      others: valuesOf(kept, "other"),
      stats: {
        callers: parts.callers.length,
        caller_files: parts.callerFileCount,
        tests: parts.tests.length,
        callees: parts.callees.length,
        others: parts.others.length,
        ...(isDefault ? {} : { budget_used: budgetUsed }),
      },
      truncated: isTruncated || (code !== undefined && !isCodeShown),
    }),
  });
  return data;
}

function itemsOf(
  parts: ExplainParts,
  shown: { readonly hasDoc: boolean; readonly isCodeShown: boolean },
): Item[] {
  const lists: readonly (readonly Item[])[] = [
    parts.callers.map((value) => ({ part: "caller", value })),
    parts.tests.map((value) => ({ part: "test", value })),
    parts.callees.map((value) => ({ part: "callee", value })),
    parts.changes.map((value) => ({ part: "change", value })),
    parts.others.map((value) => ({ part: "other", value })),
  ];
  const firstOf = (list: readonly Item[]): number => {
    const part = list[0]?.part;
    return part === undefined || part === "doc" || part === "code" ? 0 : firstCounts[part];
  };
  return [
    ...(shown.hasDoc ? [{ part: "doc" } as const] : []),
    ...(shown.isCodeShown ? [{ part: "code" } as const] : []),
    ...lists.flatMap((list) => list.slice(0, firstOf(list))),
    ...lists.flatMap((list) => list.slice(firstOf(list))),
  ];
}
