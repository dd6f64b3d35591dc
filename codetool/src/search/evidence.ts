import { checksumOf, hasContentHash } from "../text/index.ts";
import type { LineScanner } from "./scan/index.ts";

/** What a place was found by: the file may be another by the time when the place is shown. */
export type Evidence =
  | { readonly kind: "lines"; readonly scanner: LineScanner }
  /** It was found in a text with this checksum. */
  | { readonly kind: "text"; readonly checksum: number }
  /** An index has it, of a file with this hash, as `contentHash` makes it. */
  | { readonly kind: "file"; readonly hash: string };

/** As much of a place as shows whether it is still there. */
export interface ProvedPlace {
  readonly line1: number;
  readonly span?: { readonly start: number; readonly end: number };
  /** Absent where every text of the file has the place. */
  readonly evidence?: Evidence;
}

/** A file as it was read to show places of it. */
export interface ReadFile {
  /** In UTF-8. */
  readonly text: Buffer;
  /** The bytes of the file. */
  readonly raw: Buffer;
}

/**
 * Tells which places of a file are in a text of it.
 *
 * @param places In no order.
 * @returns Those that are.
 * @throws PatternCostError, as the search that found them.
 */
export async function standingPlaces<Found extends ProvedPlace>(
  { text, raw }: ReadFile,
  places: readonly Found[],
): Promise<ReadonlySet<Found>> {
  const standing = new Set<Found>();
  const byScanner = new Map<LineScanner, Found[]>();
  for (const place of places) {
    const { evidence } = place;
    if (evidence?.kind === "lines") {
      const scanned = byScanner.get(evidence.scanner);
      if (scanned === undefined) byScanner.set(evidence.scanner, [place]);
      else scanned.push(place);
      continue;
    }
    const stands =
      evidence === undefined ||
      (evidence.kind === "text"
        ? evidence.checksum === checksumOf(text)
        : await hasContentHash(raw, evidence.hash));
    if (stands) standing.add(place);
  }
  for (const [scanner, scanned] of byScanner)
    for (const place of foundAgain(text, scanner, scanned)) standing.add(place);
  return standing;
}

/** The places that a scan of a text finds. */
function foundAgain<Found extends ProvedPlace>(
  text: Buffer,
  scanner: LineScanner,
  places: readonly Found[],
): Found[] {
  const wanted = Map.groupBy(places, ({ line1 }) => line1);
  const found: Found[] = [];
  scanner.scan(text, (line) => {
    const own = wanted.get(line.findNumber()) ?? [];
    if (own.length === 0) return true;
    const { start, end } = line.findSpan();
    found.push(...own.filter(({ span }) => span?.start === start && span.end === end));
    return true;
  });
  return found;
}
