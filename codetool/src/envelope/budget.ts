import { settleCount, type CountTokens } from "./envelope.ts";

/** A payload that is made from a list of items; not all of them may fit. */
export interface BudgetedPayload<Item, Data extends object = object> {
  /** Candidates, best first. */
  readonly items: readonly Item[];
  /** Most tokens of the serialised payload, at least 0. */
  readonly budgetTokens: number;
  readonly countTokens: CountTokens;
  /**
   * Makes the payload of the items kept, which are in the order of `items`. `budgetUsed` is for payloads that
   * print it; `isTruncated` is true when something was left out.
   */
  readonly render: (kept: readonly Item[], budgetUsed: number, isTruncated: boolean) => Data;
  /**
   * The JSON text that one more item adds to the payload. It steers the fit and need not be exact, since sums
   * near the limit are counted on the payload itself. Called with the items in their order, and once more from the
   * first when the parts said less than the payload counts.
   */
  readonly addedText: (item: Item) => string;
  /** Called with each item that is kept, for payloads whose later items cost less after it. */
  readonly onKept?: (item: Item) => void;
  /** `skip` goes on to smaller items (the default); `stop` keeps the kept ones contiguous from the first. */
  readonly whenFull?: "skip" | "stop";
  /** Items kept at most; what follows them is not asked for and does not count as left out. Default unlimited. */
  readonly keptCountMax?: number;
}

/** The payload that fits. */
export interface BudgetFit<Item, Data extends object = object> {
  readonly kept: readonly Item[];
  readonly data: Data;
  readonly budgetUsed: number;
  readonly isTruncated: boolean;
}

/** How far the sum of parts may be from the count of the whole, for each part: tokens join at the seams. */
const seamTokens = 4;

/** The same when the parts turned out to count too little: only a clearly too large item is refused without a count. */
const carefulSeamTokens = 64;

/** How many full counts may end in a refusal; after that an item must fit by the sum of its parts. */
const refusedCountsMax = 256;

/**
 * Keeps the items that fit a token budget, greedily in their order; one that does not fit is left out whole.
 *
 * An item is kept exactly when the serialised payload with it and all kept before it counts at most `budgetTokens`.
 * The payload without any item is returned when none fits, even when it is larger.
 */
export function fitBudget<Item, Data extends object>(
  options: BudgetedPayload<Item, Data>,
): BudgetFit<Item, Data> {
  const quick = finish(options, keepGreedily(options, seamTokens, false));
  if (quick.budgetUsed <= options.budgetTokens || quick.kept.length === 0) return quick;
  // The parts said less than they cost, so every step is counted on the whole.
  return finish(options, keepGreedily(options, carefulSeamTokens, true));
}

interface Kept<Item> {
  readonly kept: readonly Item[];
  readonly isTruncated: boolean;
}

function keepGreedily<Item>(
  options: BudgetedPayload<Item>,
  seam: number,
  isCareful: boolean,
): Kept<Item> {
  const { items, budgetTokens, countTokens, render } = options;
  // The budget itself serves as the number of used tokens here: no later number has more digits.
  const exact = (candidates: readonly Item[], isTruncated: boolean): number =>
    countTokens(JSON.stringify(render(candidates, budgetTokens, isTruncated)));
  const kept: Item[] = [];
  const keptCountMax = options.keptCountMax ?? Infinity;
  let counted = exact(kept, items.length > 0);
  let slack = 0;
  let refusedCounts = 0;
  for (const [index, item] of items.entries()) {
    const added = countTokens(options.addedText(item));
    const isLast = index === items.length - 1 || kept.length === keptCountMax - 1;
    const isCompleteWithIt = kept.length === index && isLast;
    let isFitting = !isCareful && counted + added + slack + seam <= budgetTokens;
    if (isFitting) {
      counted += added;
      slack += seam;
    } else if (counted + added - slack - seam <= budgetTokens && refusedCounts < refusedCountsMax) {
      const withIt = exact([...kept, item], !isCompleteWithIt);
      isFitting = withIt <= budgetTokens;
      if (!isFitting) refusedCounts += 1;
      if (isFitting) counted = withIt;
      else if (slack > 0) counted = exact(kept, true);
      slack = 0;
    }
    if (isFitting) {
      kept.push(item);
      options.onKept?.(item);
      if (kept.length === keptCountMax) return { kept, isTruncated: kept.length <= index };
    } else if (options.whenFull === "stop") break;
  }
  return { kept, isTruncated: kept.length < items.length };
}

function finish<Item, Data extends object>(
  options: BudgetedPayload<Item, Data>,
  { kept, isTruncated }: Kept<Item>,
): BudgetFit<Item, Data> {
  const { countTokens, render } = options;
  const budgetUsed = settleCount((candidate) =>
    countTokens(JSON.stringify(render(kept, candidate, isTruncated))),
  );
  return { kept, data: render(kept, budgetUsed, isTruncated), budgetUsed, isTruncated };
}
