import {
  placeOfError,
  reasonOf,
  type Redactor,
  stackLinesOf,
  userPlaceOfError,
} from "../../core/index.ts";
import type { CauseBody, ErrorBody } from "../wire-history.ts";

/** Causes of an error that are shown. */
export const causeCountMax = 8;
const textLengthMax = 2000;
const frameLengthMax = 500;

/** How texts of errors are shown. */
export interface ErrorTexts {
  /** Takes secrets out of texts. */
  readonly redactor: Redactor;
  /** @returns What is shown of an error whose secrets are known better; undefined for any other. */
  readonly shownOf?: (error: unknown) => string | undefined;
}

/**
 * Makes what is said of an error: its name, message and place.
 *
 * @param error What was thrown: anything.
 * @param texts How its texts are shown.
 */
export function causeBody(error: unknown, texts: ErrorTexts): CauseBody {
  return {
    name: nameOf(error),
    code: safely(() => textOf((error as { readonly code?: unknown } | null)?.code)) ?? null,
    message: texts.shownOf?.(error) ?? shown(reasonOf(error), textLengthMax, texts.redactor),
    at: placeBy(placeOfError, error),
  };
}

/**
 * Makes all that is said of an error: also its causes and its stack, both bounded.
 *
 * @param error What was thrown: anything.
 * @param texts How its texts are shown.
 */
export function errorBody(error: unknown, texts: ErrorTexts): ErrorBody {
  const causes: CauseBody[] = [];
  const seen = new Set<unknown>([error]);
  for (let at = causeOf(error); at !== undefined && !seen.has(at); at = causeOf(at)) {
    if (causes.length >= causeCountMax) break;
    seen.add(at);
    // What a store or a socket failed with was thrown in our code: that place would send the reader astray.
    causes.push({ ...causeBody(at, texts), at: placeBy(userPlaceOfError, at) });
  }
  const stack = stackLinesOf(error).map((line) => shown(line, frameLengthMax, texts.redactor));
  return { ...causeBody(error, texts), causes, stack };
}

function placeBy(read: (error: Error) => string | undefined, error: unknown): string | null {
  return safely(() => (error instanceof Error ? read(error) : undefined)) ?? null;
}

/** @returns What caused an error; undefined for nothing, and where that cannot be read. */
export function causeOf(error: unknown): unknown {
  return safely(() => (error as { readonly cause?: unknown } | null | undefined)?.cause);
}

function nameOf(error: unknown): string {
  const name = safely(() => textOf((error as { readonly name?: unknown } | null)?.name));
  return cut(name ?? typeof error, 200);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text without its secrets, then cut: a part of a secret is not known as one. */
function shown(text: string, lengthMax: number, redactor: Redactor): string {
  return cut(redactor.text(text.slice(0, 4 * lengthMax)), lengthMax);
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}

/** User code may throw what throws when it is read. */
function safely<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
