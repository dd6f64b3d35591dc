import { spawnSync } from "node:child_process";
import process from "node:process";
import { loadTokenCounter } from "../../../codetool/src/text/index.ts";
import type { JudgedPlace } from "./causes.ts";

/** A search: the flags of `codetool search`, by their names in `batch`. */
export interface Asked {
  readonly query: string;
  readonly top_k: number;
  readonly path?: readonly string[];
  readonly [flag: string]: unknown;
}

/** What was answered. */
export interface Answered {
  readonly places: readonly JudgedPlace[];
  /** Of the line that was printed. */
  readonly tokens: number;
}

/** A match of the answer, as far as it is judged. */
interface Match {
  readonly file: string;
  readonly line: number;
  readonly match: string;
  readonly context_type: string | null;
  readonly context_name: string | null;
  readonly snippet_lines?: { readonly end: number };
}

const answerBytesMax = 512 * 1024 * 1024;

/** Makes the index of a folder, or brings it up to date. */
export function indexFolder(launcher: string, folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [launcher, "index", folder], {
    encoding: "utf8",
    maxBuffer: answerBytesMax,
  });
  if (status !== 0) throw new Error(`codetool index ${folder}: ${stderr}`);
}

/**
 * Asks codetool all of some searches over a folder, in one process that reads them as lines.
 *
 * @param launcher The program, as a file that Node runs.
 * @throws where a search fails.
 */
export async function askCodetool(
  launcher: string,
  folder: string,
  searches: readonly Asked[],
): Promise<readonly Answered[]> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, "batch"], {
    cwd: folder,
    input: searches.map((asked) => `${JSON.stringify({ cmd: "search", ...asked })}\n`).join(""),
    encoding: "utf8",
    maxBuffer: answerBytesMax,
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  if (lines.length !== searches.length)
    throw new Error(`codetool batch in ${folder} ended with ${status}: ${stderr}`);
  const countTokens = await loadTokenCounter();
  return lines.map((line, at) => {
    const { data } = JSON.parse(line) as { readonly data?: { readonly matches?: Match[] } };
    const matches = data?.matches;
    if (matches === undefined) throw new Error(`${searches[at]?.query}: ${line}`);
    return { places: matches.map(placeOf), tokens: countTokens(line) };
  });
}

function placeOf(found: Match): JudgedPlace {
  const { file, line, match, context_type: contextType, context_name: contextName } = found;
  const snippetEnd = found.snippet_lines?.end ?? line;
  return { path: file, line, snippetEnd, match, contextType, contextName };
}
