import type { SpanKind } from "../core/index.ts";

/**
 * Finished spans in a few objects, whatever their number: what waits costs the garbage collector nothing, and what goes
 * to another thread is copied at once. A text is there once, and is named by its place plus one; 0 is none.
 */
export interface SpanBlock {
  /** Spans in it. */
  readonly length: number;
  /** `rowLength` numbers for each span, by `field`. Nobody writes it: threads may share it. */
  readonly rows: Float64Array;
  /** `detailLength` numbers for each attribute of the spans that have some: the text of its name, one of `valueTag`, the value. */
  readonly details: Float64Array;
  /** Without secrets. */
  readonly texts: readonly string[];
}

/**
 * What the numbers of a row are. Ids: above 0 the number of one of this process, below 0 a text, 0 for none. `failure`:
 * the text of its type, 0 for none, -1 for a span that failed without one. The last fields depend on `form`.
 */
export const field = {
  form: 0,
  trace: 1,
  span: 2,
  parent: 3,
  startMs: 4,
  endMs: 5,
  failure: 6,
  reason: 7,
  name: 8,
  // Of the spans of messages.
  type: 9,
  sender: 10,
  recipient: 11,
  agent: 12,
  sentAtMs: 13,
  attempt: 14,
  // Of other spans, in their place.
  kind: 9,
  detailsAt: 10,
  detailCount: 11,
} as const;

/** Numbers of a row. */
export const rowLength = 15;

/** Numbers of an attribute. */
export const detailLength = 3;

/** What a span is of: the steps of a message, or anything else. */
export const form = { other: 0, sent: 1, waited: 2, served: 3, handled: 4 } as const;

/** How the value of an attribute is written: a number, a text, 0 or 1, a list as the text of its JSON. */
export const valueTag = { number: 0, text: 1, boolean: 2, list: 3 } as const;

/** The kinds of spans by their number in a row. */
export const spanKinds: readonly SpanKind[] = [
  "internal",
  "server",
  "client",
  "producer",
  "consumer",
];

/** Longest text of a span, in characters. */
export const textLengthMax = 4096;
/** Longest name of a span. */
export const nameLengthMax = 256;
/** Most attributes of a span, and most texts of a list. */
export const attributeCountMax = 128;

/**
 * Names a span.
 *
 * @param formOf One of `form`.
 * @param name What its row says.
 * @param type Of its message.
 */
export function messageName(formOf: number, name: string, type: string): string {
  if (formOf === form.sent) return `send ${type}`;
  return formOf === form.waited ? `recv ${type}` : name;
}
