import { errors } from "../../envelope/index.ts";
import {
  checkReplacements,
  checkStructural,
  type CheckedReplacement,
  type ScopeRequest,
  type StructuralRewrite,
  type SymbolAction,
  type TextEdit,
} from "../../edits/index.ts";
import { type EditedPath, listEditedPaths } from "./edited-paths.ts";
import type { EditInput } from "./input.ts";
import type { CommandContext } from "../command.ts";

/** Places of a file that were found in its text. */
export interface FilePlaces {
  /** The file, as it is named in the working directory. */
  readonly argument: string;
  /** Of the content that they were found in. */
  readonly hash: string;
  /** Sorted, without overlap. */
  readonly edits: readonly TextEdit[];
}

/** What is done to each file. */
export type EditOperation =
  | {
      readonly kind: "replace";
      readonly replacements: readonly CheckedReplacement[];
      readonly isAll: boolean;
      /** `undefined` for the whole file. */
      readonly scope: ScopeRequest | undefined;
    }
  | {
      readonly kind: "structural";
      readonly rewrite: StructuralRewrite;
      /** `undefined` for the whole file. */
      readonly scope: ScopeRequest | undefined;
    }
  | {
      /** Places that are known; a file that changed since is not edited. */
      readonly kind: "places";
      readonly files: readonly FilePlaces[];
    }
  | {
      readonly kind: "symbol";
      readonly action: SymbolAction;
      readonly wanted: string;
      readonly newText: string;
    };

/** The input of `edit`, checked as far as possible without the files. */
export interface EditRequest {
  readonly files: readonly EditedPath[];
  /** The paths as they were given, for messages. */
  readonly named: string;
  /** Several files may be edited: the answer is a list. */
  readonly isList: boolean;
  /** Remarks of the walks through folders. */
  readonly warnings: readonly string[];
  readonly operation: EditOperation;
  readonly isApplied: boolean;
  readonly isSyntaxChecked: boolean;
  /** Lower case. */
  readonly expectedHash: string | undefined;
}

type SymbolFlag = "replace_body" | "insert_before" | "insert_after";

const symbolActions: readonly { readonly flag: SymbolFlag; readonly action: SymbolAction }[] = [
  { flag: "replace_body", action: "replaceBody" },
  { flag: "insert_before", action: "insertBefore" },
  { flag: "insert_after", action: "insertAfter" },
];

/** Files of one call. */
const fileCountMax = 1000;

/**
 * Reads what `edit` is asked to do.
 *
 * @throws invalid_argument for what cannot go together, a missing or odd pair, and an invalid pattern.
 */
export async function readEditRequest(
  input: EditInput,
  context: CommandContext,
): Promise<EditRequest> {
  if (input.file.length > fileCountMax)
    throw refuse("file", `${input.file.length} are given, and ${fileCountMax} are allowed`);
  const operation = await operationOf(input, context);
  const { files, isOpen, warnings } = listEditedPaths(input, context);
  const expectedHash = expectedHashOf(input);
  if (expectedHash !== undefined && files.length > 1)
    throw refuse("expect_hash", "it is of one file, and several are given");
  if (operation.kind === "symbol" && files.some(({ isNamed }) => !isNamed))
    throw refuse("file", "an edit at a symbol is of files that are named");
  return {
    files,
    named: input.file.join(" ").slice(0, 200),
    isList: isOpen || files.length > 1,
    warnings,
    operation,
    isApplied: input.apply === true,
    isSyntaxChecked: input.syntax_check !== false,
    expectedHash,
  };
}

async function operationOf(input: EditInput, context: CommandContext): Promise<EditOperation> {
  const asked = symbolActions.filter(({ flag }) => input[flag] !== undefined);
  const [first, second] = asked;
  if (first === undefined)
    return input.structural === undefined
      ? replaceOperation(input)
      : structuralOperation(input, input.structural);
  if (second !== undefined) throw refuse(second.flag, `it cannot go with ${first.flag}`);
  for (const other of ["find", "regex", "all", "in_function", "in_class", "structural"] as const)
    if (input[other] !== undefined) throw refuse(other, `it cannot go with ${first.flag}`);
  const wanted = input[first.flag] ?? "";
  if (wanted === "") throw refuse(first.flag, "it is empty");
  const newText = await newTextOf(input, first.flag, context);
  return { kind: "symbol", action: first.action, wanted, newText };
}

function replaceOperation(input: EditInput): EditOperation {
  const { find: finds = [], replace: replaces = [] } = input;
  if (input.text !== undefined)
    throw refuse("text", "it goes with replace_body, insert_before or insert_after");
  if (finds.length === 0) throw refuse("find", "it is missing: edit needs what is replaced");
  if (finds.length !== replaces.length)
    throw refuse(
      "replace",
      `${finds.length} find and ${replaces.length} replace are given, wanted as many of each`,
    );
  const replacements = checkReplacements(
    finds.map((find, index) => ({ find, replace: replaces[index] ?? "" })),
    { isPattern: input.regex === true },
  );
  if ("fault" in replacements) throw refuse(replacements.argument, replacements.fault);
  return { kind: "replace", replacements, isAll: input.all === true, scope: scopeRequestOf(input) };
}

function structuralOperation(input: EditInput, pattern: string): EditOperation {
  for (const other of ["find", "regex", "text"] as const)
    if (input[other] !== undefined) throw refuse(other, "it cannot go with structural");
  const [replacement, second] = input.replace ?? [];
  if (replacement === undefined) throw refuse("replace", "it is missing: structural needs one");
  if (second !== undefined) throw refuse("replace", "structural takes one");
  const checked = checkStructural(pattern, replacement);
  if ("fault" in checked) throw refuse(checked.argument, checked.fault);
  return { kind: "structural", rewrite: checked.rewrite, scope: scopeRequestOf(input) };
}

function scopeRequestOf(input: EditInput): ScopeRequest | undefined {
  const inFunction = scopeName(input, "in_function");
  const inClass = scopeName(input, "in_class");
  if (inFunction === undefined && inClass === undefined) return undefined;
  return {
    ...(inFunction === undefined ? {} : { inFunction }),
    ...(inClass === undefined ? {} : { inClass }),
  };
}

function scopeName(input: EditInput, flag: "in_function" | "in_class"): string | undefined {
  const name = input[flag];
  if (name === undefined) return undefined;
  if (name === "") throw refuse(flag, "it is empty");
  return name;
}

/** The new lines at a symbol: `text`, which may be standard input, or one `replace`. */
async function newTextOf(
  input: EditInput,
  flag: SymbolFlag,
  context: CommandContext,
): Promise<string> {
  const { replace: replaces = [], text } = input;
  if (text !== undefined && replaces.length > 0)
    throw refuse("replace", "it is the same as text, which is given too");
  if (replaces.length > 1) throw refuse("replace", `${flag} takes one`);
  const given = text ?? replaces[0];
  if (given === undefined) throw refuse("text", `it is missing: ${flag} needs the new lines`);
  if (text !== "-") return wellFormed(given);
  if (context.readInput === undefined)
    throw refuse("text -", "there is no standard input here, wanted the text itself");
  return wellFormed(Buffer.from(await context.readInput()).toString("utf8"));
}

function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw refuse("text", "it holds half of a surrogate pair");
  return text;
}

function expectedHashOf(input: EditInput): string | undefined {
  const hash = input.expect_hash;
  if (hash === undefined) return undefined;
  if (/^[0-9a-f]{32}$/i.test(hash)) return hash.toLowerCase();
  throw refuse(
    `expect_hash ${hash.slice(0, 60)}`,
    "wanted the 32 hexadecimal digits of an earlier meta.hash",
  );
}

function refuse(argument: string, reason: string): Error {
  return new errors.invalid_argument({ argument: argument.slice(0, 120), reason });
}
