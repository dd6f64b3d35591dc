import { hasMatch, readQuery } from "../../search/index.ts";
import type { CommandResult } from "../command.ts";
import {
  type AnyStructure,
  existsByStructure,
  scannerOf,
  type SearchRequest,
  type Surroundings,
  withinCost,
} from "../query/index.ts";
import type { AnyMatchPayload } from "./payload.ts";
import { remarksOnUnreadable } from "./remarks-on-unreadable.ts";

/** What a search for any match needs. */
type Searched = Pick<Surroundings, "files" | "warnings"> & {
  /** Makes the remarks on files that are not searched. */
  readonly remarksOnTree: (isAnyFound: boolean) => readonly string[];
};

/** Answers `search --exists`. */
export async function answerExists(
  request: SearchRequest,
  searched: Searched,
): Promise<CommandResult<AnyMatchPayload>> {
  // What is said of the query leaves no doubt about the files.
  const remarks: string[] = [];
  const asked = { files: searched.files, warnings: remarks };
  const { isFound, unreadableCount, isWhole } = await findAny(request, asked);
  const unsearched = [
    ...searched.warnings,
    ...remarksOnUnreadable(unreadableCount),
    ...(isFound ? [] : searched.remarksOnTree(false)),
  ];
  // What was not searched may match: a file without a name that can be opened or not parsed, a folder that cannot be listed.
  const isSure = isFound || (isWhole && unsearched.length === 0);
  const confidence = isSure ? "exact" : "probable";
  return { data: { exists: isFound, confidence }, warnings: [...unsearched, ...remarks] };
}

/** Tells whether anything matches: by structure where that is asked for, else as text or pattern. */
async function findAny(
  request: SearchRequest,
  { files, warnings }: Pick<Searched, "files" | "warnings">,
): Promise<AnyStructure> {
  let isWhole = true;
  const way = request.way ?? readQuery(request.query).way;
  if (way === "structural") {
    const found = await existsByStructure(request.query, { files, warnings });
    if (found.isFound || request.way !== null) return found;
    ({ isWhole } = found);
  }
  const asText = way === "structural" ? { ...request, way: "literal" as const } : request;
  const scanner = scannerOf(asText, warnings);
  const groups = scanner.required.map((text) => [text]);
  const found = await withinCost(request.query, () =>
    hasMatch(files.filesHolding(groups), scanner),
  );
  return { ...found, isWhole };
}
