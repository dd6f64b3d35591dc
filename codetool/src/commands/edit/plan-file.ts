import { realpathSync } from "node:fs";
import {
  ambiguity,
  applyEdits,
  type CheckedReplacement,
  compareSyntax,
  describeNearMiss,
  type EditedText,
  findSymbols,
  type FurtherPlaces,
  type TextHunk,
  nearMissOf,
  PieceList,
  replaceInText,
  type LostComment,
  rewriteStructure,
  scopeOf,
  type ScopeRequest,
  type Stretch,
  symbolEdit,
  symbolPathsOf,
  tightHunk,
  type SyntaxVerdict,
  withBodies,
  writePath,
} from "../../edits/index.ts";
import { errors } from "../../envelope/index.ts";
import { languageOfPath, languageOfShebang } from "../../files/index.ts";
import { PatternCostError } from "../../patterns/index.ts";
import {
  type CodeSymbol,
  commentRangesOf,
  type ExtractedSymbols,
  extractSymbols,
  hasSymbols,
  isParseable,
} from "../../syntax/index.ts";
import { contentHash, decodeExactly, encodeExactly } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import type { EditOperation, EditRequest } from "./request.ts";
import { nearestName } from "../nearest-name.ts";
import { openFile } from "../open-file.ts";
import { displayPath } from "../paths.ts";
import { readSettings } from "../settings.ts";

/** A file as it would be after the edit; nothing is written. */
export interface PlannedFile {
  /** As it was named. */
  readonly argument: string;
  /** The root of its tree; absolute. */
  readonly root: string;
  /** As the answer shows it. */
  readonly file: string;
  /** Absolute, links resolved: what is written to. */
  readonly path: string;
  readonly before: { readonly bytes: Uint8Array; readonly text: string; readonly hash: string };
  readonly after: { readonly bytes: Uint8Array; readonly text: string; readonly hash: string };
  readonly hunks: readonly TextHunk[];
  readonly replacementCount: number;
  /** Which of the texts were not found, from 0. */
  readonly unfound: readonly number[];
  /** Of the text before. */
  readonly symbols: readonly CodeSymbol[];
  readonly verdict: SyntaxVerdict;
  readonly warnings: readonly string[];
}

/**
 * Reads a file and edits its text.
 *
 * @param argument The file as it is named in the working directory.
 * @throws the errors of `openFile`; file_changed for another hash; invalid_range for a scope or symbol that is not
 * there or there twice; invalid_argument for a pattern that is too costly and for what the encoding cannot write.
 */
export async function planFile(
  argument: string,
  request: EditRequest,
  context: CommandContext,
): Promise<PlannedFile> {
  const opened = openFile(argument, context);
  const { bytes } = opened;
  const file = displayPath(opened.target, opened.target.absolutePath);
  const path = realpathSync(opened.target.absolutePath);
  const hash = await contentHash(bytes);
  if (request.expectedHash !== undefined && request.expectedHash !== hash)
    throw new errors.file_changed({
      action: "edit",
      path: argument,
      reason: `its hash is ${hash}, wanted ${request.expectedHash}`,
    });
  const decoded = decodeExactly(bytes);
  const { text } = decoded;
  const language = languageOfPath(file) ?? languageOfShebang(text);
  const { fileSizeBytesMax } = readSettings(context.environment);
  let known: ExtractedSymbols | undefined;
  const extract = (): ExtractedSymbols => (known ??= extractSymbols(text, language ?? ""));
  const edited = editText(text, request.operation, { language, extract, argument, hash });
  // Most files of a folder have no place to edit, and nothing to describe.
  const isDescribed = edited.hunks.length > 0 && bytes.length <= fileSizeBytesMax;
  const symbols = known?.symbols ?? (isDescribed ? extract().symbols : []);
  const encoded = edited.hunks.length === 0 ? bytes : encodeExactly(edited.text, decoded);
  if ("unencodable" in encoded)
    throw new errors.invalid_argument({
      argument: encoded.unencodable,
      reason: `"${file}" is ${decoded.encoding}, which has no such character`,
    });
  const texts = { before: text, after: edited.text };
  const verdict = verdictOn(texts, edited.hunks, { request, language });
  return {
    argument,
    root: opened.target.root,
    file,
    path,
    before: { bytes, text, hash },
    after: {
      bytes: encoded,
      text: edited.text,
      hash: edited.hunks.length === 0 ? hash : await contentHash(encoded),
    },
    hunks: edited.hunks,
    replacementCount: edited.replacementCount,
    unfound: edited.unfound,
    symbols,
    verdict,
    warnings: remarksOn(file, { verdict, request, edited, language, text }),
  };
}

interface TextParts {
  readonly language: string | null;
  readonly extract: () => ExtractedSymbols;
  /** The file as it is named, and the hash of its content. */
  readonly argument: string;
  readonly hash: string;
}

function editText(text: string, operation: EditOperation, parts: TextParts): EditedText {
  const { language } = parts;
  if (operation.kind === "places") return editAtPlaces(text, operation, parts);
  if (operation.kind === "symbol") return editAtSymbol(text, operation, parts);
  const within =
    operation.scope === undefined ? undefined : stretchesOf(text, operation.scope, parts);
  if (operation.kind === "structural")
    return language === null
      ? { text, hunks: [], replacementCount: 0, unfound: [0], further: [] }
      : rewriteStructure(text, operation.rewrite, {
          language,
          ...(within === undefined ? {} : { within }),
        });
  try {
    return replaceInText(text, operation.replacements, {
      isAll: operation.isAll,
      ...(within === undefined ? {} : { within }),
    });
  } catch (error) {
    if (!(error instanceof PatternCostError)) throw error;
    throw new errors.invalid_argument(
      { argument: "find", reason: "the pattern is too costly for so long a file" },
      { cause: error },
    );
  }
}

function editAtPlaces(
  text: string,
  { files }: Extract<EditOperation, { kind: "places" }>,
  { argument, hash }: TextParts,
): EditedText {
  const places = files.find((each) => each.argument === argument);
  if (places?.hash !== hash)
    throw new errors.file_changed({
      action: "edit",
      path: argument,
      reason: "it was changed while it was edited",
    });
  const { edits } = places;
  const pieces = new PieceList(text.length);
  pieces.apply(edits);
  const after = applyEdits(text, edits);
  return {
    text: after,
    hunks: pieces.hunks(),
    replacementCount: edits.length,
    unfound: [],
    further: [],
  };
}

function stretchesOf(text: string, request: ScopeRequest, parts: TextParts): readonly Stretch[] {
  const scope = scopeOf(text, parts.extract().symbols, request);
  if ("stretches" in scope) return scope.stretches;
  throw unknownName(scope.wanted, scope.reason, { names: scope.names, parts });
}

function editAtSymbol(
  text: string,
  operation: Extract<EditOperation, { kind: "symbol" }>,
  parts: TextParts,
): EditedText {
  const language = parts.language ?? "";
  const paths = symbolPathsOf(parts.extract().symbols);
  const found = withBodies(findSymbols(operation.wanted, paths));
  const [path] = found;
  if (path === undefined) {
    const names = paths.flatMap((each) => [each.names.at(-1) ?? "", writePath(each)]);
    throw unknownName(operation.wanted, "there is no such symbol", { names, parts });
  }
  if (found.length > 1)
    throw unknownName(operation.wanted, ambiguity("symbols", found), { names: [], parts });
  const edit = symbolEdit(text, {
    action: operation.action,
    symbol: path.symbol,
    newText: operation.newText,
    language,
    comments: commentRangesOf(text, language, { withDocumentation: false }) ?? [],
  });
  if ("fault" in edit)
    throw new errors.invalid_range({ range: operation.wanted, reason: edit.fault });
  const after = applyEdits(text, [edit]);
  const hunk = tightHunk(
    { before: text, after },
    {
      before: { start: edit.start, end: edit.end },
      after: { start: edit.start, end: edit.start + edit.text.length },
    },
  );
  const hunks = hunk === undefined ? [] : [hunk];
  return { text: after, hunks, replacementCount: 1, unfound: [], further: [] };
}

/** Makes the error for a name that was not found, with the names that were probably meant. */
function unknownName(
  wanted: string,
  reason: string,
  options: { readonly names: readonly string[]; readonly parts: TextParts },
): Error {
  const { names, parts } = options;
  const { language, argument } = parts;
  const { unparsed } = parts.extract();
  const range = wanted.slice(0, 120);
  if (unparsed !== undefined)
    return new errors.invalid_range({ range, reason: `"${argument}" is not parsed: ${unparsed}` });
  if (!hasSymbols(language))
    return new errors.invalid_range({
      range,
      reason: `there is no grammar for ${language ?? "this file"}, so no symbols are known`,
    });
  const nearest = nearestNames(wanted, names);
  const hint = nearest.length === 0 ? "" : `; did you mean ${nearest.join(", ")}`;
  return new errors.invalid_range({ range, reason: `${reason}${hint}` });
}

/** Up to three similar names; if none is similar, the first names of the list. */
function nearestNames(wanted: string, names: readonly string[]): string[] {
  const found: string[] = [];
  let left = [...new Set(names)];
  while (found.length < 3) {
    const nearest = nearestName(wanted, left);
    if (nearest === undefined) break;
    found.push(nearest);
    left = left.filter((name) => name !== nearest);
  }
  return found.length > 0 ? found : left.slice(0, 3);
}

function verdictOn(
  texts: { readonly before: string; readonly after: string },
  hunks: readonly TextHunk[],
  { request, language }: { readonly request: EditRequest; readonly language: string | null },
): SyntaxVerdict {
  const isChecked = hunks.length > 0 && request.isSyntaxChecked;
  return !isChecked || language === null
    ? { kind: "unknown" }
    : compareSyntax(texts, hunks, language);
}

function remarksOn(
  file: string,
  parts: {
    readonly verdict: SyntaxVerdict;
    readonly request: EditRequest;
    readonly edited: EditedText;
    readonly language: string | null;
    readonly text: string;
  },
): string[] {
  const { verdict, language, request, edited, text } = parts;
  const remarks: string[] = [];
  if (verdict.kind === "as before")
    remarks.push(`"${file}" had errors of syntax before; the edit adds none`);
  // A file without a grammar is never checked, and nobody expects it to be.
  const isLeftOut = edited.hunks.length === 0 || !request.isSyntaxChecked;
  if (verdict.kind === "unknown" && isParseable(language) && !isLeftOut)
    remarks.push(
      `The syntax of "${file}" was not checked: it is too large, or of a form that is not parsed`,
    );
  if (request.operation.kind === "structural" && edited.unfound.length > 0)
    remarks.push(unmatchedRemark(file, request.operation, language));
  if (edited.lost !== undefined && edited.lost.length > 0)
    remarks.push(lostCommentsRemark(file, edited.lost));
  if (request.operation.kind !== "replace") return remarks;
  const { replacements, scope } = request.operation;
  for (const index of edited.unfound) {
    const replacement = replacements[index];
    if (replacement === undefined) continue;
    const which =
      replacements.length === 1 ? "Nothing was found" : `Text ${index + 1} was not found`;
    const near = nearestTo(text, replacement, scope);
    remarks.push(`${which} in "${file}"${near === "" ? "" : `; ${near}`}`);
  }
  for (const further of edited.further) {
    const find = shortened(replacements[further.index]?.find ?? "");
    remarks.push(`"${find}" ${placesOf(further, file)}`);
  }
  return remarks;
}

function placesOf({ count, isLeast, nextLine1 }: FurtherPlaces, file: string): string {
  if (nextLine1 === null)
    return `may be at more places in "${file}": the pattern is too costly to look at the rest of it`;
  const more = `${count} more place${count === 1 ? "" : "s"}`;
  const places = isLeast ? `${count} or more other places` : more;
  return `is at ${places} in "${file}", the next on line ${nextLine1}; --all replaces all of them`;
}

function lostCommentsRemark(file: string, lost: readonly LostComment[]): string {
  const [first] = lost;
  const what = lost.length === 1 ? "a comment" : `${lost.length} comments`;
  const where = first === undefined ? "" : `"${shortened(first.text)}" on line ${first.line1}`;
  return `The replacement leaves out ${what} of "${file}": ${where}${lost.length > 1 ? " is the first" : ""}`;
}

function unmatchedRemark(
  file: string,
  { rewrite }: Extract<EditOperation, { kind: "structural" }>,
  language: string | null,
): string {
  if (!isParseable(language))
    return `Nothing in "${file}" matches: there is no grammar for ${language ?? "this file"}`;
  const isCode = [...rewrite.compiled.values()].some((pattern) => pattern !== null);
  return isCode
    ? `Nothing in "${file}" matches the pattern`
    : `Nothing in "${file}" matches: the pattern is not a piece of ${language ?? "code"} by itself`;
}

/** Says where something like a text is that was not found; empty where nothing is like it, and for patterns. */
export function nearestTo(
  text: string,
  { pattern, find }: CheckedReplacement,
  scope: ScopeRequest | undefined,
): string {
  if (pattern !== undefined) return "";
  const near = nearMissOf(text, find, { isScoped: scope !== undefined });
  return near === undefined ? "" : describeNearMiss(near);
}

/** The beginning of a text, for a message on one line. */
export function shortened(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length < text.length || line.length > 60
    ? `${line.slice(0, 60).toWellFormed()}…`
    : line;
}
