/** How a language takes structural patterns. */
export interface PatternPlaces {
  /**
   * Texts around a pattern that cannot be by themselves (a method, a field, an expression where the language wants a
   * statement), with `PATTERN` in its place. The first in which it parses counts.
   */
  readonly places: readonly string[];
  /** Kinds of nodes that the grammar sees at file level in what means something else where people write it. */
  readonly doubtfulKinds?: readonly string[];
  /** A pattern by itself is text, not code. */
  readonly isTextAlone?: boolean;
}

const ecmascript: PatternPlaces = {
  places: [
    "class A { PATTERN }",
    "({ PATTERN })",
    "function f() { switch (x) { PATTERN } }",
    "async function* f() { PATTERN }",
    "try {} PATTERN",
  ],
  doubtfulKinds: ["labeled_statement"],
};

const cFamily: PatternPlaces = {
  places: [
    "void f() { PATTERN; }",
    "void f() { PATTERN }",
    "struct S { PATTERN };",
    "struct S { PATTERN; };",
    "void f() { switch (x) { PATTERN } }",
    "int x = PATTERN;",
  ],
  doubtfulKinds: ["macro_type_specifier"],
};

/** By language; where one is not named, patterns need none. */
const places: { readonly [language: string]: PatternPlaces } = {
  typescript: { ...ecmascript, places: [...ecmascript.places, "interface A { PATTERN }"] },
  tsx: {
    ...ecmascript,
    places: [...ecmascript.places, "interface A { PATTERN }", "<a PATTERN />"],
  },
  javascript: { ...ecmascript, places: [...ecmascript.places, "<a PATTERN />"] },
  python: {
    places: ["try:\n  pass\nPATTERN", "f(PATTERN)", "match x:\n  PATTERN"],
  },
  rust: {
    places: [
      "fn f() { PATTERN }",
      "impl A { PATTERN }",
      "struct A { PATTERN }",
      "fn f() { match x { PATTERN } }",
    ],
  },
  go: {
    places: [
      "func f() { PATTERN }",
      "type T struct { PATTERN }",
      "type T interface { PATTERN }",
      "func f() { switch x { PATTERN } }",
    ],
    doubtfulKinds: ["type_conversion_expression"],
  },
  java: {
    places: [
      "class A { PATTERN }",
      "class A { void f() { PATTERN } }",
      "class A { void f() { PATTERN; } }",
      "class A { void f() { try {} PATTERN } }",
    ],
    doubtfulKinds: ["local_variable_declaration"],
  },
  c: cFamily,
  cpp: cFamily,
  csharp: {
    places: [
      "class A { PATTERN }",
      "class A { void f() { PATTERN } }",
      "class A { void f() { PATTERN; } }",
      "class A { void f() { try {} PATTERN } }",
    ],
    doubtfulKinds: ["local_function_statement", "local_declaration_statement"],
  },
  ruby: { places: ["begin\n  x\nPATTERN\nend", "case x\nPATTERN\nend"] },
  php: {
    places: [
      "<?php PATTERN",
      "<?php PATTERN;",
      "<?php class A { PATTERN }",
      "<?php try {} PATTERN",
      "<?php f(PATTERN);",
    ],
    isTextAlone: true,
  },
  kotlin: {
    places: ["class A { PATTERN }", "fun f() { PATTERN }", "fun f() { when (x) { PATTERN } }"],
  },
  swift: {
    places: ["class A { PATTERN }", "func f() { PATTERN }", "func f() { switch x { PATTERN } }"],
  },
  scala: { places: ["class A { PATTERN }", "object A { x match { PATTERN } }"] },
  bash: { places: ["case x in\nPATTERN\nesac"] },
  lua: { places: ["local x = PATTERN"] },
  elixir: { places: ["[PATTERN]"] },
  haskell: {
    places: ["f = do\n  PATTERN", "f = case x of\n  PATTERN", "class A a where\n  PATTERN"],
  },
  zig: {
    places: [
      "fn f() void { PATTERN; }",
      "fn f() void { PATTERN }",
      "const T = struct { PATTERN };",
      "const T = struct { PATTERN, };",
      "fn f() void { switch (x) { PATTERN } }",
    ],
  },
};

/** How a language takes structural patterns. */
export function patternPlacesOf(language: string): PatternPlaces {
  return places[language] ?? { places: [] };
}
