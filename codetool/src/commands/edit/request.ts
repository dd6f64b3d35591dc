import { errors } from "../../envelope/index.ts";
import {
  checkReplacements,
  type CheckedReplacement,
  type ScopeRequest,
  type SymbolAction,
} from "../../edits/index.ts";
import type { EditInput } from "./input.ts";
import type { CommandContext } from "../command.ts";

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
      readonly kind: "symbol";
      readonly action: SymbolAction;
      readonly wanted: string;
      readonly newText: string;
    };

/** The input of `edit`, checked as far as possible without the files. */
export interface EditRequest {
  readonly files: readonly string[];
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
  const files = [...new Set(input.file)];
  if (files.length > fileCountMax)
    throw refuse("file", `${files.length} are given, and ${fileCountMax} are allowed`);
  const expectedHash = expectedHashOf(input);
  if (expectedHash !== undefined && files.length > 1)
    throw refuse("expect_hash", "it is of one file, and several are given");
  return {
    files,
    operation: await operationOf(input, context),
    isApplied: input.apply === true,
    isSyntaxChecked: input.syntax_check !== false,
    expectedHash,
  };
}

async function operationOf(input: EditInput, context: CommandContext): Promise<EditOperation> {
  const asked = symbolActions.filter(({ flag }) => input[flag] !== undefined);
  const [first, second] = asked;
  if (first === undefined) return replaceOperation(input);
  if (second !== undefined) throw refuse(second.flag, `it cannot go with ${first.flag}`);
  for (const other of ["find", "regex", "all", "in_function", "in_class"] as const)
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
  const inFunction = scopeName(input, "in_function");
  const inClass = scopeName(input, "in_class");
  const hasScope = inFunction !== undefined || inClass !== undefined;
  const scope = {
    ...(inFunction === undefined ? {} : { inFunction }),
    ...(inClass === undefined ? {} : { inClass }),
  };
  return {
    kind: "replace",
    replacements,
    isAll: input.all === true,
    scope: hasScope ? scope : undefined,
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
