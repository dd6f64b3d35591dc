import { errors } from "../../envelope/index.ts";
import { compileFilePatterns, type FilePattern } from "../file-pattern.ts";
import type { FindInput } from "./input.ts";

/** What `find` is asked for, checked. */
export interface FindRequest {
  readonly path: string;
  readonly isMatch: FilePattern;
  readonly depthMax: number | undefined;
  readonly changedSince: string | undefined;
  /** The query that the files should be related to. */
  readonly query: string | undefined;
  readonly hasSymbols: boolean;
  readonly hasTree: boolean;
  readonly hasList: boolean;
  readonly budgetTokens: number | undefined;
}

/**
 * Reads what `find` is asked for.
 *
 * @throws invalid_argument for an empty query, and for what is not a pattern.
 */
export function readFindRequest(input: FindInput): FindRequest {
  const { path = ".", pattern: patterns = [], related_to: query, tree, flat } = input;
  if (query?.trim() === "")
    throw new errors.invalid_argument({ argument: "related_to", reason: "it is empty" });
  return {
    path,
    isMatch: patterns.length === 0 ? () => true : compileFilePatterns(patterns),
    depthMax: input.depth,
    changedSince: input.changed_since,
    query,
    hasSymbols: input.outline === true,
    hasTree: tree === true || flat !== true,
    hasList: flat === true || tree !== true,
    budgetTokens: input.budget,
  };
}
