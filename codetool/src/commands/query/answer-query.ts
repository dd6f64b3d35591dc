import { readQuery } from "../../search/index.ts";
import type { Answer, Surroundings } from "./answer.ts";
import { answerByFusion, answerByMeaning, answerByRank } from "./by-rank.ts";
import {
  findText,
  type FoundText,
  qualifiedDefinitions,
  withDefinitions,
  withNamedFiles,
} from "./by-text.ts";
import { nearestWord } from "./nearest-word.ts";
import type { SearchRequest } from "./request.ts";
import { answerByStructure } from "./by-structure.ts";

/**
 * Answers a search in the mode its flags say, else in the one its query suggests.
 *
 * @throws invalid_argument for a `--regex` that is not a pattern.
 */
export async function answerQuery(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const { globs, types } = request;
  const isNarrowed = globs.length > 0 || types.length > 0;
  if (isNarrowed && surroundings.files.walk().length === 0)
    surroundings.warnings.push("No file was searched: none is of the types and globs asked for");
  return await answerAsAsked(request, surroundings);
}

async function answerAsAsked(request: SearchRequest, surroundings: Surroundings): Promise<Answer> {
  const reading = request.way === null ? readQuery(request.query) : null;
  const way = request.way ?? reading?.way ?? "literal";
  if (request.fusion !== null)
    return await answerByFusion({ request, fusion: request.fusion, surroundings });
  if (way === "structural") return await answerByStructureOrText(request, surroundings);
  if (way === "semantic") return await answerByMeaning(request, surroundings);
  if (way === "bm25" || way === "hybrid") return await answerByRank(request, surroundings);
  const { files, warnings } = surroundings;
  if (reading === null) {
    const answer = await findText(request, surroundings);
    if (answer.matchCount === 0 && way === "literal")
      warnings.push(...remarkOnNearest(request.query, files));
    return textAnswer(answer);
  }
  // First, because the limit on parsing is better spent on these.
  const defined = await qualifiedDefinitions(request, surroundings);
  const found = await withDefinitions(await findText(request, surroundings), defined);
  const named = withNamedFiles(found, request.query, surroundings.files.walk);
  if (named.matchCount > 0) return textAnswer(named);
  const remarks = remarkOnNearest(request.query, files);
  const at = warnings.length;
  const ranked = await answerByRank(request, surroundings);
  const instead = ranked.matchCount === 0 ? "" : ": these are ranked matches for its words instead";
  warnings.splice(at, 0, `The text occurs nowhere${instead}`, ...remarks);
  return ranked;
}

function remarkOnNearest(query: string, files: Surroundings["files"]): string[] {
  const nearest = nearestWord(query, files);
  return nearest === undefined ? [] : [`The nearest word in the files is "${nearest}"`];
}

/** A query that looks like a pattern may be text: a shell variable, a price. */
async function answerByStructureOrText(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const { files, warnings } = surroundings;
  const found = await answerByStructure(request.query, { files, warnings });
  if (request.way !== null || found.matchCount > 0) return found;
  const asText = await findText({ ...request, way: "literal" }, surroundings);
  if (asText.matchCount === 0) return found;
  warnings.push("The query was searched as text: it matched nothing as a pattern");
  return textAnswer(asText);
}

function textAnswer(found: FoundText): Answer {
  return { ...found, mode: "literal" };
}
