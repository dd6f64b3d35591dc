/** What is found in a text where an addition would be: nothing, the same, or something else of that name. */
export type FoundState = "none" | "same" | "other";

/** A text with an addition in it. */
export interface AddedText {
  readonly text: string;
  /** The one stretch that was put in: without it the text is what it was. */
  readonly added: string;
}

/** What an addition is, as data that can be kept: enough to take it out again. */
export type AdditionKind =
  | { readonly kind: "json"; readonly container: string; readonly name: string }
  | { readonly kind: "toml"; readonly path: readonly [string, string] }
  | { readonly kind: "block" }
  | { readonly kind: "file" };

/** One thing that is added to the text of a configuration file, and can be taken out again. Pure: from text to text. */
export interface Addition {
  readonly kind: AdditionKind;
  /** True when what is there of that name can be nobody else's. */
  readonly isMarked: boolean;
  /**
   * Says whether the text has it.
   *
   * @throws ConfigError for a text that cannot be parsed, or that has no room for it.
   */
  find(text: string): FoundState;
  /**
   * Puts it in, and changes nothing else. An empty text becomes a whole file.
   *
   * @throws ConfigError as `find` does.
   */
  add(text: string): AddedText;
  /**
   * Takes it out of a text that somebody may have edited since.
   *
   * @param added What `add` had put in: where that is there still, it is cut out, and the rest is byte for byte as it was.
   * @returns The text without it; empty when nothing is left that a file is kept for; `undefined` when it is not there.
   * @throws ConfigError for a text that cannot be parsed.
   */
  take(text: string, added: string): string | undefined;
}

/** Why a configuration text cannot be edited. */
export class ConfigError extends Error {
  /** @param reason One line, for a sentence that begins with the file. */
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "ConfigError";
  }
}

/** The line end that a text has; `"\n"` where it has none. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
}

/** A text without the one place that a stretch has in it; `undefined` where there is none, or more than one. */
export function cutOnce(text: string, stretch: string): string | undefined {
  const start = stretch === "" ? -1 : text.indexOf(stretch);
  if (start === -1 || text.includes(stretch, start + 1)) return undefined;
  return text.slice(0, start) + text.slice(start + stretch.length);
}

/** Whether two values of JSON are the same; the order of names does not count. */
export function isSameValue(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
