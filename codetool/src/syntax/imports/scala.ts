import type { ImportReference } from "../import-reference.ts";
import type { ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";
import { dottedImport } from "./statement-text.ts";

type Found = Omit<ImportReference, "line1">;

/** `package a.b`, several of them one inside of the other; `import a.b.{C, D => E}, f.g._`. */
function readerOf(): ImportReader {
  const packages: string[] = [];
  return ({ kind, text }) => {
    if (kind === "package_clause" || kind === "package_object") {
      // The clause may hold the file.
      const head = withoutSlashComments(text.slice(0, 1000)).replace(/\s*\.\s*/g, ".");
      const name = /^\s*package\s+(?:object\s+)?([^\s{:;]+)/.exec(head)?.[1];
      if (name === undefined || packages.length >= 32) return null;
      const namespace = [...packages, name].join(".");
      if (kind === "package_clause") packages.push(name);
      return { namespace };
    }
    const statement = withoutSlashComments(text).replace(/\s*\.\s*/g, ".");
    const list = /^\s*import\s+([^]*)$/.exec(statement)?.[1] ?? "";
    return { imports: splitOutside(list).flatMap(readExpression) };
  };
}

/** Splits at the commas that are in no braces. */
function splitOutside(list: string): string[] {
  return list.match(/(?:[^,{]|\{[^}]*\}?)+/g) ?? [];
}

function readExpression(expression: string): Found[] {
  const group = /^\s*([^\s{]+)\.\{([^}]*)\}?/.exec(expression);
  if (group === null) {
    const path = /^\s*([^\s{]+)/.exec(expression)?.[1];
    if (path === undefined) return [];
    const found = dottedImport(path.replace(/\.(?:_|given)$/, ".*"));
    return [{ ...found, kind: "static" }];
  }
  const [, specifier = "", list = ""] = group;
  const names = list.split(",").flatMap((item) => {
    const name = /^\s*([^\s=]+)/.exec(item)?.[1];
    if (name === undefined || /=>\s*_\s*$|\bas\s+_\s*$/.test(item)) return [];
    return [name === "_" || name === "given" ? "*" : name];
  });
  return [{ specifier, names: [...new Set(names)], kind: "static" }];
}

/** Scala 2 and 3. */
export const scalaImports: ImportSyntax = {
  languages: ["scala"],
  matchers: [
    { kind: "package_clause" },
    { kind: "package_object" },
    { kind: "import_declaration" },
  ],
  begin: readerOf,
  usedNames: "word",
};
