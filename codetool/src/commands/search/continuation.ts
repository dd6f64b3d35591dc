import { errors } from "../../envelope/index.ts";
import { digestOf, readToken } from "../../search/index.ts";
import type { Target } from "../paths.ts";
import type { SearchPlace, SearchRequest } from "../query/index.ts";
import type { SearchedTree } from "./searched-tree.ts";

/** Identifies the search that a continuation token belongs to. */
export interface Asked {
  /** A digest of the search: its query, mode and path. */
  readonly question: string;
  /** Makes a digest of the files that it runs over, and of how they were searched; it takes a moment. */
  readonly filesDigest: () => string;
  /** See `SearchedTree`. */
  readonly contents: SearchedTree["contents"];
  readonly isFromIndex: boolean;
}

/** Where a page begins. */
export interface Position {
  readonly offset: number;
  /** Places after the offset that were returned already. */
  readonly returned: readonly number[];
}

/** Makes the digest of a search. */
export function questionOf(
  request: SearchRequest,
  { targets, isWanted }: SearchPlace,
  chunkSizeCharacters: number,
): string {
  const { isCaseIgnored, isWordOnly, globs, types } = request;
  const narrowed = isWanted === undefined ? [] : ["globs", ...globs, "types", ...types];
  return digestOf([
    request.way ?? "auto",
    request.query,
    ...targets.map(({ absolutePath }) => absolutePath),
    String(chunkSizeCharacters),
    ...narrowed,
    ...(isCaseIgnored ? ["i"] : []),
    ...(isWordOnly ? ["w"] : []),
    // Fused ranks depend on how many matches an answer shows.
    ...(request.fusion === null ? [] : [`rrf ${request.fusion.alpha ?? ""} ${request.topK}`]),
  ]);
}

/**
 * Reads where the page that was asked for begins.
 *
 * @throws invalid_argument for a token of another search; index_missing where it came from an index that is gone.
 */
export function readContinuation(
  request: SearchRequest,
  now: Asked & { readonly target: Target; readonly warnings: string[] },
): Position {
  if (request.continuationToken === undefined) return { offset: 0, returned: [] };
  const token = readToken(request.continuationToken);
  const refuse = (reason: string): Error =>
    new errors.invalid_argument({
      argument: `continue ${request.continuationToken?.slice(0, 60)}`,
      reason,
    });
  if (token === undefined) throw refuse("wanted the continuation_token of an earlier answer");
  if (token.question !== now.question)
    throw refuse("it continues another search: wanted the same query, path and mode as before");
  if (token.isFromIndex && !now.isFromIndex)
    throw new errors.index_missing({
      path: now.target.absolutePath,
      reason: "the answer before came from one that is gone; ask again without `continue`",
    });
  const { contents, isOfHashes } = now.contents();
  // Of an index that was made or removed since, only the digest of the files can be compared.
  const isOtherContent = token.isOfHashes === isOfHashes && token.contents !== contents;
  if (token.files !== now.filesDigest() || isOtherContent)
    now.warnings.push(
      "Files have changed since the answer before, or an index was made or removed: matches may repeat or be missing",
    );
  return token;
}
