import type { SymbolKind } from "../../../codetool/src/syntax/index.ts";

/** How a language of ours is compared with one of universal-ctags. */
export interface ComparedLanguage {
  /** What the table prints. */
  readonly label: string;
  /** The language's name here. */
  readonly language: string;
  /** The language's name in ctags. */
  readonly ctags: string;
  /** Kinds of ctags that both list; the others (locals, fields where an outline has none, imports) are not compared. */
  readonly ctagsKinds: readonly string[];
  /** Kinds that an outline has in part (a constant that is a function, a prototype): what matches agrees, no more. */
  readonly optionalKinds?: readonly string[];
  /** Our kinds that ctags lists as well; what ctags has no kind for counts for nothing. */
  readonly kinds: readonly SymbolKind[];
  /** Which files; default all of the language. */
  readonly files?: RegExp;
  /** Cuts a name to what both write. */
  readonly simpleName?: (name: string) => string;
  /** A symbol of ours as the several that ctags makes of it, from its text up to its body. */
  readonly parts?: (head: string) => readonly string[];
}

const codeKinds: readonly SymbolKind[] = [
  "function",
  "method",
  "class",
  "struct",
  "enum",
  "trait",
  "interface",
  "type",
];

function afterLast(marks: RegExp): (name: string) => string {
  return (name) => name.split(marks).at(-1) ?? name;
}

const ecmascriptKinds =
  "class function method generator interface enum namespace alias getter setter".split(" ");
const cKinds = "function struct union enum typedef macro class namespace".split(" ");

/** The languages and formats that both know; ctags 5.9 has none of Swift, Scala, Zig, TOML, HCL, Dockerfile and Less. */
export const comparedLanguages: readonly ComparedLanguage[] = [
  {
    label: "typescript",
    language: "typescript",
    ctags: "TypeScript",
    ctagsKinds: ecmascriptKinds,
    optionalKinds: ["constant", "variable", "property", "field"],
    kinds: codeKinds,
  },
  {
    label: "javascript",
    language: "javascript",
    ctags: "JavaScript",
    ctagsKinds: ecmascriptKinds,
    optionalKinds: ["constant", "variable", "property", "field"],
    kinds: codeKinds,
  },
  {
    label: "python",
    language: "python",
    ctags: "Python",
    ctagsKinds: ["class", "function", "member", "variable"],
    kinds: [...codeKinds, "const"],
  },
  {
    label: "rust",
    language: "rust",
    ctags: "Rust",
    ctagsKinds: "function method struct enum interface typedef module macro".split(" "),
    optionalKinds: ["variable"],
    kinds: ["function", "method", "struct", "enum", "trait", "type", "module"],
  },
  {
    label: "go",
    language: "go",
    ctags: "Go",
    ctagsKinds: "func type struct interface const var methodSpec talias".split(" "),
    optionalKinds: ["member", "anonMember"],
    kinds: [...codeKinds, "const"],
  },
  {
    label: "java",
    language: "java",
    ctags: "Java",
    ctagsKinds: "class method interface enum annotation field".split(" "),
    kinds: [...codeKinds, "const"],
  },
  {
    label: "c",
    language: "c",
    ctags: "C",
    ctagsKinds: cKinds,
    optionalKinds: ["prototype", "variable", "externvar", "member"],
    kinds: codeKinds,
    files: /\.c$/,
  },
  {
    label: "c, headers",
    language: "c",
    ctags: "C++",
    ctagsKinds: cKinds,
    optionalKinds: ["prototype", "variable", "externvar", "member"],
    kinds: codeKinds,
    files: /\.h$/,
  },
  {
    label: "c++",
    language: "cpp",
    ctags: "C++",
    ctagsKinds: cKinds,
    optionalKinds: ["prototype", "variable", "externvar", "member"],
    kinds: codeKinds,
  },
  {
    label: "c#",
    language: "csharp",
    ctags: "C#",
    ctagsKinds: "class method interface enum struct namespace property field event".split(" "),
    kinds: [...codeKinds, "const", "module"],
    simpleName: afterLast(/\.(?=[^.]+$)/),
  },
  {
    label: "ruby",
    language: "ruby",
    ctags: "Ruby",
    ctagsKinds: "class method module singletonMethod constant accessor alias".split(" "),
    kinds: [...codeKinds, "const", "module"],
  },
  {
    label: "php",
    language: "php",
    ctags: "PHP",
    ctagsKinds: "class function interface trait namespace define".split(" "),
    optionalKinds: ["variable"],
    kinds: ["class", "function", "method", "interface", "trait", "module"],
  },
  {
    label: "kotlin",
    language: "kotlin",
    ctags: "Kotlin",
    ctagsKinds: "class interface object method typealias".split(" "),
    optionalKinds: ["constant", "variable"],
    kinds: codeKinds,
  },
  {
    label: "bash",
    language: "bash",
    ctags: "Sh",
    ctagsKinds: ["function"],
    kinds: ["function"],
  },
  {
    label: "lua",
    language: "lua",
    ctags: "Lua",
    ctagsKinds: ["function"],
    kinds: ["function", "method"],
    simpleName: afterLast(/[.:]/),
  },
  {
    label: "haskell",
    language: "haskell",
    ctags: "Haskell",
    ctagsKinds: ["function", "type"],
    optionalKinds: ["constructor"],
    kinds: ["function", "type", "struct", "enum"],
  },
  {
    label: "elixir",
    language: "elixir",
    ctags: "Elixir",
    ctagsKinds: "module function macro protocol guard delegate type operator".split(" "),
    kinds: ["module", "function", "interface", "type"],
    simpleName: afterLast(/\./),
  },
  {
    label: "markdown",
    language: "markdown",
    ctags: "Markdown",
    ctagsKinds: "chapter section subsection subsubsection l4subsection l5subsection".split(" "),
    kinds: ["module"],
  },
  { label: "yaml, anchors", language: "yaml", ctags: "Yaml", ctagsKinds: ["anchor"], kinds: [] },
  {
    label: "json",
    language: "json",
    ctags: "JSON",
    ctagsKinds: "object array number string boolean null".split(" "),
    kinds: ["const", "module"],
  },
  {
    label: "html",
    language: "html",
    ctags: "HTML",
    ctagsKinds: "id heading1 heading2 heading3 anchor".split(" "),
    kinds: ["const", "module"],
  },
  {
    label: "css",
    language: "css",
    ctags: "CSS",
    ctagsKinds: ["class", "selector", "id"],
    kinds: ["class"],
    parts: selectorsOf,
  },
  {
    label: "scss",
    language: "scss",
    ctags: "SCSS",
    ctagsKinds: ["mixin", "function", "placeholder", "variable"],
    kinds: ["function"],
    simpleName: (name) => name.replace(/^[$%]/, ""),
  },
  {
    label: "sql",
    language: "sql",
    ctags: "SQL",
    ctagsKinds: "table view function procedure trigger index domain field event".split(" "),
    kinds: ["struct", "type", "function", "const"],
    simpleName: afterLast(/\./),
  },
  {
    label: "makefile",
    language: "makefile",
    ctags: "Make",
    ctagsKinds: ["target", "macro"],
    kinds: ["function", "const"],
  },
];

/** A list of selectors, cut at the commas that are in no parentheses. */
function selectorsOf(head: string): string[] {
  const list = head.replace(/\/\*[^]*?\*\//g, " ");
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const unit of list) {
    if (unit === "(" || unit === "[") depth += 1;
    else if (unit === ")" || unit === "]") depth -= 1;
    if (unit === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += unit;
  }
  return [...parts, part.trim()].filter((each) => each !== "");
}
