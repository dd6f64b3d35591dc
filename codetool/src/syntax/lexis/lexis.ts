/** The marks around comments and strings, for a reader that goes from mark to mark and into the holes of strings. */
export interface LexicalMarks {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Delimiters of strings, longer ones first. */
  readonly strings: readonly StringRule[];
  /** A slash where a value may begin opens a regular expression. */
  readonly hasRegexLiterals?: boolean;
  /** `'` may have no partner: a lifetime, a prime, a quote mark. */
  readonly hasLooseQuotes?: boolean;
}

/** One way to write a string. */
export interface StringRule {
  readonly open: string;
  readonly close: string;
  /** Ends with its line where it has no end. */
  readonly isOneLine: boolean;
  /** What opens code inside of it, and what closes that. */
  readonly hole?: readonly [open: string, close: string];
  /** A backslash means nothing in it. */
  readonly isRaw?: boolean;
}

/**
 * The shapes of whole comments and strings, for a reader that takes a text apart into words: sources of regular
 * expressions. Groups in them have names, because they become parts of a larger expression.
 */
export interface LexicalShapes {
  /** One comment, from its first letter on. */
  readonly comment: string;
  /** One string or character. */
  readonly string: string;
}

/** How a language writes comments and strings, for each reader that knows it. */
export interface Lexis {
  readonly marks?: LexicalMarks;
  readonly shapes?: LexicalShapes;
}
