import type { CommandError } from "./define-errors.ts";
import { version } from "../system/index.ts";

/** Counts the tokens of a text with the shipped vocabulary. */
export type CountTokens = (text: string) => number;

/** The outcome of a command: a payload or an error, with remarks on either. */
export type Outcome =
  | {
      readonly data: { readonly [key: string]: unknown };
      readonly warnings?: readonly string[];
      readonly isFallback?: boolean;
      /** The exit code, for a command whose answer is a verdict; default 0. */
      readonly exitCode?: number;
      /** The text for people, where it shows more than the payload has. */
      readonly plain?: () => string;
      /** Called once with the size of the text that the caller gets, bytes in UTF-8. */
      readonly onRendered?: (sizeBytes: number) => void;
    }
  | { readonly error: CommandError; readonly warnings?: readonly string[] };

/** What goes into an envelope with the outcome. */
export interface EnvelopeOptions {
  /** The subcommand that answers. */
  readonly command: string;
  readonly outcome: Outcome;
  /** Only in `batch`: the `id` of the input line, echoed first. */
  readonly id?: string | number;
  /** Exact counting, given while a budget is active; without it bytes / 4. */
  readonly countTokens?: CountTokens;
}

/** Passes of the search for a `tokens` value that counts its own digits. */
const selfCountPassesMax = 8;

/** Tokens of a text without a tokenizer: its UTF-8 bytes divided by 4, rounded down. */
export function estimateTokens(text: string): number {
  return tokensOf(Buffer.byteLength(text, "utf8"));
}

function tokensOf(sizeBytes: number): number {
  return Math.floor(sizeBytes / 4);
}

/**
 * Writes an envelope as one line of JSON without the newline.
 *
 * Keys are in the order id, version, command, status, fallback, tokens, data or error, warnings. `tokens` counts
 * the whole line, its own digits included.
 */
export function renderEnvelope(options: EnvelopeOptions): string {
  const { outcome, countTokens } = options;
  const head: { [key: string]: unknown } = {};
  if (options.id !== undefined) head["id"] = options.id;
  head["version"] = version;
  head["command"] = options.command;
  head["status"] = "error" in outcome ? "error" : "ok";
  if (!("error" in outcome) && outcome.isFallback === true) head["fallback"] = true;
  const tail: { [key: string]: unknown } =
    "error" in outcome ? { error: errorBody(outcome.error) } : { data: outcome.data };
  if (outcome.warnings !== undefined && outcome.warnings.length > 0)
    tail["warnings"] = outcome.warnings;
  const before = `${JSON.stringify(head).slice(0, -1)},"tokens":`;
  const after = `,${JSON.stringify(tail).slice(1)}`;
  const tokens =
    countTokens === undefined
      ? settleEstimate(Buffer.byteLength(before, "utf8") + Buffer.byteLength(after, "utf8"))
      : settleCount((candidate) => countTokens(`${before}${candidate}${after}`));
  return `${before}${tokens}${after}`;
}

/**
 * Finds a number that counts a text that contains it.
 *
 * The count depends on the number only by its digits, so a few passes settle it; if two values alternate for
 * ever, the larger is taken.
 */
export function settleCount(countWith: (candidate: number) => number): number {
  let candidate = countWith(0);
  let largest = candidate;
  for (let pass = 0; pass < selfCountPassesMax; pass += 1) {
    const counted = countWith(candidate);
    if (counted === candidate) return candidate;
    candidate = counted;
    largest = Math.max(largest, counted);
  }
  return largest;
}

/**
 * Finds what `estimateTokens` says of a text that contains it once: only its digits are counted again in each pass.
 *
 * @param restBytes Size of the text without the number, bytes in UTF-8.
 */
function settleEstimate(restBytes: number): number {
  return settleCount((candidate) => tokensOf(restBytes + String(candidate).length));
}

/**
 * Lets a payload say how many tokens it has, by `estimateTokens`.
 *
 * @param render Makes the payload with a count; the count is in its JSON once.
 */
export function renderWithEstimate<Data>(render: (count: number) => Data): Data {
  const withZero = Buffer.byteLength(JSON.stringify(render(0)), "utf8");
  return render(settleEstimate(withZero - 1));
}

function errorBody(error: CommandError): { [key: string]: unknown } {
  const body: { [key: string]: unknown } = { code: error.code, message: error.message };
  if (error.suggestion !== "") body["suggestion"] = error.suggestion;
  return { ...body, ...error.fields };
}
