/** Bytes of a trace id. */
export const traceIdLength = 16;
/** Bytes of a span id. */
export const spanIdLength = 8;

const patterns: { readonly [length: number]: RegExp } = {
  [traceIdLength]: /^[0-9a-f]{32}$/,
  [spanIdLength]: /^[0-9a-f]{16}$/,
};

/** Where an id goes. */
interface IdRoom {
  readonly at: number;
  /** 16 or 8 bytes. */
  readonly length: number;
}

/**
 * Writes an id as bytes.
 *
 * @param id Hexadecimal digits, lower-case.
 * @param view Where to.
 * @param room The place in it.
 * @returns False for one that is not of so many digits: nothing is written then.
 */
export function putId(id: string, view: DataView, { at, length }: IdRoom): boolean {
  if (patterns[length]?.test(id) !== true) return false;
  for (let byte = 0; byte < length; byte += 4)
    view.setUint32(at + byte, Number.parseInt(id.slice(byte * 2, byte * 2 + 8), 16));
  return true;
}

/** The ids of a span. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
}

/**
 * Gives what the column `ids` holds for ids that are not all as W3C Trace Context wants them: the JSON of a list. All
 * others are bytes: the trace, the span, and the parent where there is one.
 */
export function idsOf({ traceId, spanId, parentSpanId }: SpanIds): string {
  return JSON.stringify([traceId, spanId, parentSpanId]);
}

/** @returns The bytes of a trace id; undefined for one that is not of 32 digits. */
export function traceBytesOf(traceId: string): Uint8Array | undefined {
  const bytes = new Uint8Array(traceIdLength);
  const isPut = putId(traceId, new DataView(bytes.buffer), { at: 0, length: traceIdLength });
  return isPut ? bytes : undefined;
}
