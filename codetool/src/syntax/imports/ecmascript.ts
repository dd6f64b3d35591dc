import type { ImportReference } from "../import-reference.ts";
import type { ImportEffect, ImportReader, ImportStatement, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";

function readerOf(source: string): ImportReader {
  return (statement) => {
    switch (statement.kind) {
      case "import_statement":
        return importStatement(statement);
      case "export_statement":
        return exportFrom(source, statement.start);
      case "new_expression":
        return workerUrl(statement.text);
      default:
        return call(source, statement);
    }
  };
}

/** `import a, { b as c } from "m"`, `import "m"`, `import a = require("m")`. */
function importStatement({ text }: ImportStatement): ImportEffect | null {
  const statement = withoutSlashComments(text);
  const required =
    /^import\s+(type\s+)?[\p{L}\p{N}_$]+\s*=\s*require\s*\(\s*["']([^"']+)["']/u.exec(statement);
  if (required !== null) {
    const kind = required[1] === undefined ? "static" : "type";
    return { imports: [{ specifier: required[2] ?? "", names: ["*"], kind }] };
  }
  const found =
    /^import\b\s*(type(?!\s*,)\s+(?!from\s*["'])|type(?=\s*\{)|typeof\s+|defer\s+|source\s+)?([^"']*?)\s*(?:\bfrom\s*)?["']([^"'\n]+)["']/.exec(
      statement,
    );
  if (found === null) return null;
  const [, mode = "", clause = "", specifier = ""] = found;
  const kind = mode.startsWith("type") ? "type" : "static";
  return { imports: [{ specifier, names: clauseNames(clause), kind }] };
}

function clauseNames(clause: string): string[] {
  const names: string[] = [];
  const braces = /\{([^}]*)\}/.exec(clause);
  const outside = clause.replace(/\{[^}]*\}/, "");
  for (const part of outside.split(",")) {
    const name = part.trim();
    if (name.startsWith("*")) names.push("*");
    else if (name !== "") names.push("default");
  }
  names.push(...specifierNames(braces?.[1] ?? ""));
  return names;
}

/** The foreign names of `a, b as c, type D`. */
function specifierNames(list: string): string[] {
  return list.split(",").flatMap((item) => {
    const name = /^\s*(?:type\s+(?!as\b|\s*$))?("[^"]*"|'[^']*'|[^\s,]+)/.exec(item)?.[1];
    return name === undefined ? [] : [name.replace(/^["']|["']$/g, "")];
  });
}

const exportHead =
  /export\s*(type\s+|type(?=[{*]))?(?:\*(?:\s*as\s+(?:[\p{L}\p{N}_$]+|"[^"]*"))?|\{([^}]*)\})\s*from\s*["']([^"'\n]+)["']/uy;

/** An export may hold a whole class: only its head is read. */
function exportFrom(source: string, start: number): ImportEffect | null {
  exportHead.lastIndex = start;
  const found = exportHead.exec(source);
  if (found === null) return null;
  const [, type, list, specifier = ""] = found;
  const names = list === undefined ? ["*"] : specifierNames(withoutSlashComments(list));
  return { imports: [{ specifier, names, kind: type === undefined ? "reexport" : "type" }] };
}

function workerUrl(text: string): ImportEffect | null {
  const specifier =
    /^new\s+URL\s*\(\s*["'](\.[^"'\n]*\.\w+)["']\s*,\s*import\s*\.\s*meta\s*\.\s*url\b/.exec(
      text,
    )?.[1];
  return specifier === undefined ? null : { imports: [{ specifier, names: [], kind: "dynamic" }] };
}

const callHead =
  /(require(?:\s*\.\s*resolve)?|import)\s*\(\s*(?:\/\*[^]*?\*\/\s*|\/\/[^\n]*\n\s*)*(?:"([^"\n]+)"|'([^'\n]+)'|`([^`$]+)`)\s*(?:,|\)\s*(\.\s*\p{Lu})?)/uy;

/** `require("m")`, `import("m")`; the latter in a type too. */
function call(source: string, { start }: ImportStatement): ImportEffect | null {
  callHead.lastIndex = start;
  const found = callHead.exec(source);
  if (found === null) return null;
  const [, callee = "", double, single, template, member] = found;
  const specifier = double ?? single ?? template ?? "";
  const before = source.slice(Math.max(0, start - 200), start);
  if (callee !== "import") {
    return { imports: [{ specifier, names: boundNames(before), kind: "static" }] };
  }
  const isType = member !== undefined || /\btypeof\s+$/.test(before);
  const names = boundNames(before);
  return { imports: [{ specifier, names, kind: isType ? "type" : "dynamic" }] };
}

/** What `const { a, b: c } = ` before a call takes out of it. */
function boundNames(before: string): string[] {
  const pattern = /(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*(?:await\s+)?$/.exec(before)?.[1];
  if (pattern === undefined) return [];
  return pattern.split(",").flatMap((item) => /^\s*([\p{L}\p{N}_$]+)/u.exec(item)?.[1] ?? []);
}

/** `/// <reference path="…" />` lines at the head of a file. */
function referencePaths(source: string): ImportReference[] {
  if (!source.includes("<reference")) return [];
  const found: ImportReference[] = [];
  let line1 = 0;
  for (const line of source.split("\n")) {
    line1 += 1;
    const path = /^\s*\/\/\/\s*<reference\s+path\s*=\s*["']([^"']+)["']/.exec(line)?.[1];
    if (path !== undefined) {
      found.push({
        specifier: path.startsWith(".") ? path : `./${path}`,
        names: ["*"],
        line1,
        kind: "type",
      });
    } else if (!/^\s*(?:\/\/|\/?\*|$)/.test(line)) break;
  }
  return found;
}

/** JavaScript and TypeScript. */
export const ecmascriptImports: ImportSyntax = {
  languages: ["javascript", "typescript", "tsx"],
  matchers: [
    { kind: "import_statement" },
    { kind: "export_statement", rule: { has: { kind: "string" } } },
    {
      kind: "call_expression",
      rule: { has: { field: "function", regex: "^(?:require(?:\\s*\\.\\s*resolve)?|import)$" } },
      when: /\brequire\s*[(.]|\bimport\s*\(/,
    },
    { kind: "new_expression", when: /\bnew\s+URL\s*\([^)]*import\s*\.\s*meta/ },
  ],
  begin: readerOf,
  scan: referencePaths,
};
