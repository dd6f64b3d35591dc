/** The caller's place in its own trace. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all zero: the caller's span, parent of ours. None: a trace begins here. */
  readonly parentSpanId?: string | undefined;
  /** Whether the caller records its trace; undefined where nobody has decided. */
  readonly isSampled?: boolean | undefined;
}

// Version 00 has four fields; later versions may add more behind a dash. Version ff is forbidden.
const traceparentPattern =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Reads a W3C `traceparent` header.
 *
 * @param header The header's value, if there was one.
 * @returns The context, or `undefined` when there is none, it is malformed, or an id is all zero.
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined) return undefined;
  const [, version, traceId, parentSpanId, flags, more] = traceparentPattern.exec(header) ?? [];
  if (traceId === undefined || parentSpanId === undefined) return undefined;
  if (version === "00" && more !== undefined) return undefined;
  // The last bit says that the caller records.
  const isSampled = (Number.parseInt(flags ?? "00", 16) & 1) === 1;
  return { traceId, parentSpanId, isSampled };
}
