import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import {
  type AddedText,
  type Addition,
  ConfigError,
  cutOnce,
  type FoundState,
  isSameValue,
  lineEndOf,
} from "./addition.ts";

/** Where an entry is, and what it holds. */
export interface JsonEntry {
  /** The object at the top that has the entry; it is made where it is missing. */
  readonly container: string;
  readonly name: string;
  readonly value: object;
}

/**
 * An entry of an object in JSON, with or without comments and trailing commas: everything outside of the entry stays
 * as it is. It is put in first, so that comments stay next to what they are about.
 */
export function jsonEntry(entry: JsonEntry): Addition {
  const { container, name } = entry;
  return {
    kind: { kind: "json", container, name },
    isMarked: false,
    find: (text) => findEntry(text, entry),
    add: (text) => addEntry(text, entry),
    take: (text, added) => takeEntry(text, entry, added),
  };
}

function findEntry(text: string, { container, name, value }: JsonEntry): FoundState {
  const root = parseRoot(text);
  const holder = root === undefined ? undefined : memberOf(root, container);
  const found = holder === undefined ? undefined : memberOf(holder, name);
  if (found === undefined) return "none";
  return isSameValue(valueOf(found), value) ? "same" : "other";
}

function addEntry(text: string, entry: JsonEntry): AddedText {
  const { container, name, value } = entry;
  findEntry(text, entry);
  const root = parseRoot(text);
  const eol = lineEndOf(text);
  const unit = indentOf(text);
  if (root === undefined) {
    const whole = `${pretty({ [container]: { [name]: value } }, unit)}\n`;
    const added = whole.replaceAll("\n", eol);
    return { text: text + added, added };
  }
  const holder = memberOf(root, container);
  const made =
    holder === undefined
      ? insertFirst(text, root, { key: container, value: { [name]: value }, depth: 1 })
      : insertFirst(text, holder, { key: name, value, depth: 2 });
  if (findEntry(made.text, entry) !== "same") throw new Error(`"${name}" was not put in`);
  return made;
}

/** Puts a member in front of the others of an object. */
function insertFirst(
  text: string,
  object: Node,
  member: { readonly key: string; readonly value: object; readonly depth: number },
): AddedText {
  const { key, value, depth } = member;
  const eol = lineEndOf(text);
  const unit = indentOf(text);
  const brace = object.offset + 1;
  const end = object.offset + object.length - 1;
  const first = object.children?.[0];
  const gap = text.slice(brace, first?.offset ?? end);
  // A comment on the line of the brace is about the object.
  const remark = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*(?=\r?\n))/.exec(gap)?.[0] ?? "";
  const at = brace + remark.length;
  const isWholeLine = first === undefined && !/^\s*\{\s*\}\s*$/.test(text);
  if (isWholeLine ? !text.trim().includes("\n") : first !== undefined && !gap.includes("\n")) {
    const space = /^\s/.test(gap) ? " " : "";
    const comma = first === undefined ? "" : ",";
    const body = `${JSON.stringify(key)}:${space}${JSON.stringify(value)}`;
    return splice(text, at, `${space}${body}${comma}`);
  }
  const lead = first === undefined ? unit.repeat(depth) : indentBefore(text, first.offset);
  const body = `${JSON.stringify(key)}: ${pretty(value, unit)}`;
  const written = `${eol}${lead}${body.replaceAll("\n", `${eol}${lead}`)}`;
  if (first !== undefined) return splice(text, at, `${written},`);
  const rest = text.slice(at, end);
  return splice(text, at, rest.includes("\n") ? written : written + eol + unit.repeat(depth - 1));
}

/** A value on several lines; a list of one is on one line, as people write it. */
function pretty(value: object, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll(/\[\n\s*("(?:[^"\\]|\\.)*")\n\s*\]/g, "[$1]");
}

function splice(text: string, at: number, added: string): AddedText {
  return { text: text.slice(0, at) + added + text.slice(at), added };
}

function takeEntry(text: string, entry: JsonEntry, added: string): string | undefined {
  if (findEntry(text, entry) === "none") return undefined;
  const cut = cutOnce(text, added);
  if (cut !== undefined && isWithout(cut, entry)) return cut.trim() === "" ? "" : cut;
  const { container, name } = entry;
  const taken = withoutMember(text, memberOf(parseRoot(text) as Node, container) as Node, name);
  const root = parseRoot(taken) as Node;
  const holder = memberOf(root, container);
  const isOurs = added
    .trimStart()
    .replace(/^\{\s*/, "")
    .startsWith(JSON.stringify(container));
  if (!isOurs || (holder?.children?.length ?? 1) > 0) return taken;
  const left = withoutMember(taken, root, container);
  const isWholeFile = added.trimStart().startsWith("{");
  return isWholeFile && /^\s*\{\s*\}\s*$/.test(left) ? "" : left;
}

const commaAfterComments = /^((?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*),/;

/** Takes a member out of an object with one of its commas; comments around it stay. */
function withoutMember(text: string, object: Node, name: string): string {
  const members = object.children ?? [];
  const index = members.findIndex((member) => member.children?.[0]?.value === name);
  const { offset, length } = members[index] as Node;
  const gap = /\s*$/.exec(text.slice(0, offset))?.[0] ?? "";
  const rest = text.slice(offset + length);
  const comma = /^\s*,/.exec(rest)?.[0];
  const tail = rest.slice(comma?.length ?? 0);
  // A comment may end in front of the gap: what follows on the line of the member must not come to be in it.
  const isLineKept = gap.includes("\n") && !/^\s*(\n|$)/.test(tail);
  const start = isLineKept ? offset : offset - gap.length;
  if (comma !== undefined) return text.slice(0, start) + tail;
  const before = members[index - 1];
  const head = text.slice(0, start);
  if (before === undefined) return head + rest;
  const end = before.offset + before.length;
  return head.slice(0, end) + head.slice(end).replace(commaAfterComments, "$1") + rest;
}

function isWithout(text: string, entry: JsonEntry): boolean {
  try {
    return findEntry(text, entry) === "none";
  } catch {
    return false;
  }
}

/** The object at the top; `undefined` for a text without content. */
function parseRoot(text: string): Node | undefined {
  if (text.trim() === "") return undefined;
  const problems: ParseError[] = [];
  const root = parseTree(text, problems, { allowTrailingComma: true, allowEmptyContent: true });
  const [problem] = problems;
  if (problem !== undefined) {
    const line = text.slice(0, problem.offset).split("\n").length;
    const words = printParseErrorCode(problem.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
    throw new ConfigError(`line ${line} is not JSON: ${words.toLowerCase()}`);
  }
  if (root?.type === "object") return root;
  if (root === undefined) throw new ConfigError("there are only comments in it");
  throw new ConfigError("an object was wanted at its top");
}

/** A member of an object that must be an object, too, where it holds others. */
function memberOf(object: Node, name: string): Node | undefined {
  if (object.type !== "object")
    throw new ConfigError("an object was wanted where the servers are listed");
  const [member, second] = (object.children ?? []).filter(
    ({ children }) => children?.[0]?.value === name,
  );
  if (second !== undefined) throw new ConfigError(`"${name}" is there more than once`);
  return member?.children?.[1];
}

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [
      String(children[0]?.value),
      children[1] === undefined ? undefined : valueOf(children[1]),
    ]),
  );
}

/** One step of indentation, as the first indented line has it; two spaces where there is none. */
function indentOf(text: string): string {
  return /\n([ \t]+)["/]/.exec(text)?.[1] ?? "  ";
}

/** The white space in front of a place on its line. */
function indentBefore(text: string, offset: number): string {
  return /[ \t]*$/.exec(text.slice(0, offset))?.[0] ?? "";
}
