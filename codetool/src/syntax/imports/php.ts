import type { ImportReference } from "../import-reference.ts";
import type { ImportEffect, ImportReader, ImportSyntax } from "./syntax.ts";
import { withoutSlashComments } from "../lexis/index.ts";
import { splitLast } from "./statement-text.ts";

type Found = Omit<ImportReference, "line1">;

/** `namespace A\B;`, `use A\B\{C, D as E};`, `require __DIR__ . "/x.php";`. */
const read: ImportReader = ({ kind, text }) => {
  if (kind === "namespace_definition") {
    const namespace = /^\s*namespace\s+([^\s;{]+)/.exec(text.slice(0, 500))?.[1];
    return namespace === undefined ? null : { namespace };
  }
  if (kind !== "namespace_use_declaration") return included(text.slice(0, 400));
  const statement = withoutSlashComments(text);
  const list = /^\s*use\s+(?:function\s+|const\s+)?([^]*?);?\s*$/.exec(statement)?.[1] ?? "";
  return { imports: clausesOf(list) };
};

function clausesOf(list: string): Found[] {
  const group = /^\\?([^\s{]*?)\\?\s*\{([^}]*)\}/.exec(list);
  const prefix = group === null ? "" : `${group[1] ?? ""}\\`;
  const paths = (group?.[2] ?? list).split(",").flatMap((clause) => {
    const path = /^\s*(?:function\s+|const\s+)?\\?([^\s,]+)/.exec(clause)?.[1];
    return path === undefined ? [] : [prefix + path];
  });
  return paths.map((path): Found => {
    const { head, last } = splitLast(path, "\\");
    return { specifier: head, names: last === null ? [] : [last], kind: "static" };
  });
}

function included(text: string): ImportEffect | null {
  const argument = /^(?:require|include)(?:_once)?\s*\(?\s*([^]*)$/.exec(text)?.[1] ?? "";
  const path = /["']([^"'$\n]+)["']\s*\)*\s*;?\s*$/.exec(argument)?.[1];
  if (path === undefined) return null;
  const up = /^(?:\\?dirname\s*\(\s*)+/.exec(argument)?.[0].split("dirname").length ?? 1;
  const begin = argument.slice(0, 60);
  // dirname(__FILE__) is the folder of the file, dirname(__DIR__) the one above.
  const upCount = up - 1 - (begin.includes("__FILE__") ? 1 : 0);
  const isBeside = /__DIR__|__FILE__/.test(begin) && upCount >= 0;
  const relative = path.replace(/^\/+/, "");
  const specifier = isBeside ? `./${"../".repeat(upCount)}${relative}` : relative;
  return { imports: [{ specifier, names: [], kind: "include" }] };
}

/** PHP. */
export const phpImports: ImportSyntax = {
  languages: ["php"],
  matchers: [
    { kind: "namespace_definition" },
    { kind: "namespace_use_declaration" },
    ...["require", "require_once", "include", "include_once"].map((word) => ({
      kind: `${word}_expression`,
    })),
  ],
  begin: () => read,
  usedNames: "capital",
};
