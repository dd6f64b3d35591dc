import type { ImportReader, ImportSyntax } from "./syntax.ts";

/** `require "a.b"`, `require(... .. ".b")`, `pcall(require, "a")`, `dofile("a.lua")`. */
const read: ImportReader = ({ text }) => {
  const head = text.slice(0, 400);
  const plain =
    /^(?:pcall\s*\(\s*)?(require|dofile|loadfile)\s*[(,]?\s*(?:"([^"\n]+)"|'([^'\n]+)'|\[\[([^\]\n]+)\]\])\s*(?:[,)]|$)/.exec(
      head,
    );
  if (plain !== null) {
    const [, word, ...quoted] = plain;
    const specifier = quoted.find((each) => each !== undefined) ?? "";
    if (word !== "require") return { imports: [{ specifier, names: [], kind: "include" }] };
    const kind = head.startsWith("pcall") ? "dynamic" : "static";
    return { imports: [{ specifier, names: [], kind }] };
  }
  // `...` is the name of this module: a part of it joined with another name is a module next to this one.
  const beside = /^require\s*\(\s*\(?\.\.\..{0,80}?\.\.\s*["']\.?([\w.]+)["']\s*\)/s.exec(head);
  if (beside === null) return null;
  const path = (beside[1] ?? "").replaceAll(".", "/");
  return { imports: [{ specifier: `./${path}`, names: [], kind: "static" }] };
};

/** Lua. */
export const luaImports: ImportSyntax = {
  languages: ["lua"],
  matchers: [
    {
      kind: "function_call",
      rule: { has: { field: "name", regex: "^(?:require|dofile|loadfile|pcall)$" } },
      when: /\b(?:require|dofile|loadfile)\b/,
    },
  ],
  begin: () => read,
};
