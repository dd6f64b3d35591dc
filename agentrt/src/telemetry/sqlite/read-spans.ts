import { reasonOf } from "../../core/index.ts";
import type { UnreadSpans } from "../trace-list.ts";
import { SpanReader } from "./span-reader.ts";

/**
 * Reads a folder of spans once: a file that is damaged is named, and the others are read.
 *
 * @param directory One that is not there is empty.
 * @param take What is read.
 */
export function readSpans<Found>(
  directory: string,
  take: (reader: SpanReader) => Found,
): Found & { readonly unread: readonly UnreadSpans[] } {
  const unread = new Map<string, string>();
  using reader = new SpanReader(directory, {
    onDamaged: (source, error) => void unread.set(source, reasonOf(error)),
  });
  const found = take(reader);
  return { ...found, unread: Array.from(unread, ([source, reason]) => ({ source, reason })) };
}
