import type { ImportEffect, ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutHashComments } from "../lexis/index.ts";

/** `import a.b as c, d`, `from ..p import x as y`, `importlib.import_module("a.b")`. */
const read: ImportReader = ({ kind, text }) => {
  if (kind === "call") return dynamicImport(text);
  const statement = withoutHashComments(text);
  const from = /^from\s*(\.[.\s]*)?([\p{L}\p{N}_.\s]*?)\s*\bimport\b([^]*)$/u.exec(statement);
  if (from !== null) {
    const [, dots = "", module = "", names = ""] = from;
    const specifier = (dots + module).replace(/\s+/g, "");
    return { imports: [{ specifier, names: listedNames(names), kind: "static" }] };
  }
  const modules = /^import\s([^]*)$/.exec(statement)?.[1];
  if (modules === undefined) return null;
  return {
    imports: listedNames(modules).map((specifier) => ({ specifier, names: [], kind: "static" })),
  };
};

function listedNames(list: string): string[] {
  return list
    .replace(/[()]/g, " ")
    .split(",")
    .map((item) => (/^\s*([^\s]+(?:\s*\.\s*[^\s]+)*)/.exec(item)?.[1] ?? "").replace(/\s+/g, ""))
    .map((name) => name.replace(/;.*$/, ""))
    .filter((name) => name !== "");
}

function dynamicImport(text: string): ImportEffect | null {
  const specifier = /^[\w.]+\s*\(\s*[rRuU]?["']([\p{L}\p{N}_.]+)["']/u.exec(
    text.slice(0, 300),
  )?.[1];
  // A relative name needs the package next to it, which is hardly ever a literal.
  if (specifier === undefined || specifier.startsWith(".")) return null;
  return { imports: [{ specifier, names: [], kind: "dynamic" }] };
}

/** Python. */
export const pythonImports: ImportSyntax = {
  languages: ["python"],
  matchers: [
    { kind: "import_statement" },
    { kind: "import_from_statement" },
    {
      kind: "call",
      rule: {
        has: { field: "function", regex: "^(?:(?:importlib\\.)?import_module|__import__)$" },
      },
      when: /\bimport_module\s*\(|\b__import__\s*\(/,
    },
  ],
  begin: () => read,
};
