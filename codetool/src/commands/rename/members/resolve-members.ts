import type { TextEdit } from "../../../edits/index.ts";
import type { MemberUse } from "../../../syntax/index.ts";
import type { Family } from "./family.ts";
import { said, type TypeGraph, type Value } from "./type-graph.ts";

/** What is known of a file whose places are looked at. */
export interface MemberFile {
  readonly file: number;
  readonly language: string;
  /** It names a type of the family. */
  readonly isNear: boolean;
  /** Text of a line, from 1. */
  readonly lineAt: (line1: number) => string;
}

/** A rename of a member. */
export interface MemberRename {
  readonly graph: TypeGraph;
  readonly family: Family;
  readonly old: string;
  readonly newName: string;
}

/** Says which places of a file mean the member: those to change, and those of which it is not known. */
export function resolveMembers(
  uses: readonly MemberUse[],
  own: MemberFile,
  rename: MemberRename,
): {
  readonly edits: readonly TextEdit[];
  readonly left: readonly { readonly line1: number; readonly reason: string }[];
} {
  const edits: TextEdit[] = [];
  const left: { line1: number; reason: string }[] = [];
  for (const use of uses) {
    const { start, end, line1, role } = use;
    const verdict = verdictOn(use, own, rename);
    if (verdict === "own")
      edits.push(
        role === "shorthand"
          ? { start, end: start, text: `${rename.newName}: ` }
          : { start, end, text: rename.newName },
      );
    else if (verdict !== "other") left.push({ line1, reason: verdict });
  }
  return { edits, left };
}

/** `own`, `other`, or why it is not known. */
function verdictOn(use: MemberUse, own: MemberFile, rename: MemberRename): string {
  const { family, graph } = rename;
  switch (use.role) {
    case "definition": {
      const type = graph.typeAt(own.file, use.owner ?? "");
      if (type === undefined) return "its type is not known";
      if (family.alike.some(({ id }) => id === type.id))
        return `what is renamed may be used as "${type.name}"`;
      return family.types.has(type.id) ? "own" : "other";
    }
    case "member":
    case "taken":
    case "shorthand":
      return use.receiver === undefined
        ? "its type is not known"
        : verdictOnValue(graph.evaluate(own.file, use.receiver), rename);
    case "key":
      return keyVerdict(use, own, rename);
    case "string": {
      const isAsked = /\b(?:get|set|has|del)attr\b|\battrgetter\b/.test(own.lineAt(use.line1));
      return own.isNear || isAsked ? "it is named in a string" : "other";
    }
  }
}

function verdictOnValue(value: Value, rename: MemberRename): string {
  const { family, graph, old } = rename;
  switch (value.kind) {
    case "instance":
    case "type":
      if (family.types.has(value.type.id)) return "own";
      return graph.membersNamed(value.type, old).length > 0
        ? "other"
        : `"${value.type.name}" does not define it here`;
    case "either": {
      const verdicts = new Set(said(value.of).map((each) => verdictOnValue(each, rename)));
      const [only] = verdicts;
      if (only !== undefined && verdicts.size === 1) return only;
      return verdicts.has("own") ? "it may be of several types" : "its type is not known";
    }
    case "external":
      return family.hasExternal ? `its type, "${value.name}", is not in the tree` : "other";
    case "unknown":
      return "its type is not known";
    default:
      return "other";
  }
}

/** The key of an object that is written out. */
function keyVerdict(use: MemberUse, own: MemberFile, rename: MemberRename): string {
  const { graph, family } = rename;
  if (own.language === "python") {
    if (use.receiver === undefined || family.isMethod) return "other";
    const value = graph.evaluate(own.file, use.receiver);
    const isOwn = value.kind === "type" && family.types.has(value.type.id);
    return isOwn ? "it may set the member" : "other";
  }
  if (own.language === "go") {
    if (family.isMethod) return "other";
    if (use.receiver === undefined)
      return own.isNear ? "the type of the literal is not written" : "other";
    const value = graph.evaluate(own.file, use.receiver);
    return value.kind === "instance" && family.types.has(value.type.id) ? "own" : "other";
  }
  return own.isNear ? "it may be the member of an object that is written out" : "other";
}
