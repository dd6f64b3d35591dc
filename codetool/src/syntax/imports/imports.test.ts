import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { nameHash } from "../../text/index.ts";
import { extractSource, extractSymbols } from "../index.ts";
import { importCountMax } from "./collector.ts";

/** `line kind specifier: names` of each import. */
function listed(language: string, text: string): string[] {
  return extractSource(text, language).imports.map(
    ({ line1, kind, specifier, names }) =>
      `${line1} ${kind} ${specifier}${names.length === 0 ? "" : `: ${names.join(" ")}`}`,
  );
}

type Row = readonly [source: string, ...expected: readonly string[]];

function check(language: string, rows: readonly Row[]): void {
  for (const [source, ...expected] of rows) {
    assert.deepEqual(listed(language, source), expected, source);
  }
}

test("imports of TypeScript: clauses, types, re-exports, require, import() and workers", () => {
  check("typescript", [
    ['import a, { b as c, type D } from "./x.js";', "1 static ./x.js: default b D"],
    ["import type { E } from './e';", "1 type ./e: E"],
    ['import type F from "f";', "1 type f: default"],
    ['import type from "t";', "1 static t: default"],
    ['import type, { g } from "t";', "1 static t: default g"],
    ['import * as ns from "n";', "1 static n: *"],
    ['import "side";', "1 static side"],
    ['import {\n  // "./not.js"\n  x,\n} from "./y.ts";', "1 static ./y.ts: x"],
    ['export * from "./r";', "1 reexport ./r: *"],
    ['export * as k from "./r";', "1 reexport ./r: *"],
    ['export { q, default as z } from "./q";', "1 reexport ./q: q default"],
    ['export type { T } from "t";', "1 type t: T"],
    ['import fs = require("fs");', "1 static fs: *"],
    ['const { a, b: c } = await import("./d.js");', "1 dynamic ./d.js: a b"],
    ['let t: import("./ty").Foo;', "1 type ./ty"],
    ['let u: typeof import("./tu");', "1 type ./tu"],
    ['new Worker(new URL("./w.ts", import.meta.url));', "1 dynamic ./w.ts"],
    ['/// <reference path="g.d.ts" />\nlet x;', "1 type ./g.d.ts: *"],
    ['import j from "./j.json" with { type: "json" };', "1 static ./j.json: default"],
    ['export class A { f() { return "from"; } }\nexport const s = "a from \'b\'";'],
    ['const name = "x";\nimport(`./${name}.js`);\nrequire(name);'],
    ['// import "a";\nconst t = `import "b"`;'],
  ]);
});

test("imports of JavaScript: require in any place", () => {
  check("javascript", [
    ['const { a, b } = require("./w");', "1 static ./w: a b"],
    ['module.exports = { x: require("./x"), y: require("y").z };', "1 static ./x", "1 static y"],
    ['function f() {\n  return require.resolve("./r");\n}', "2 static ./r"],
    ['import(/* webpackChunkName: "c" */ "./c.js").then((m) => m);', "1 dynamic ./c.js"],
    ["obj.require('no'); required('no');"],
  ]);
});

test("imports of Python: dots, lists in brackets, dynamic ones", () => {
  check("python", [
    ["import a.b as c, d", "1 static a.b", "1 static d"],
    ["from . import x", "1 static .: x"],
    ["from ..p.q import (\n  y as z,  # c\n  w,\n)", "1 static ..p.q: y w"],
    ["from a import b, \\\n  c", "1 static a: b c"],
    ["from m import *", "1 static m: *"],
    ["from . . x import y", "1 static ..x: y"],
    ["def f():\n    import late; late.x()", "2 static late"],
    ['importlib.import_module("dyn.mod")', "1 dynamic dyn.mod"],
    ['__import__("k")', "1 dynamic k"],
    ['import_module(".rel", package="p")'],
    ["from __future__ import annotations"],
    ['"""\nimport no\n"""'],
  ]);
});

test("imports of Rust: groups, modules in files, paths out of inline modules", () => {
  check("rust", [
    ["use a::{b, c::{self, d as e}};", "1 static a: b", "1 static a::c: d"],
    ["pub use x::y::*;", "1 reexport x::y: *"],
    ["pub(crate) use super::z;", "1 reexport super: z"],
    ["use ::ext::T;", "1 static ext: T"],
    ["mod foo;\npub(crate) mod bar;", "1 include self::foo", "2 include self::bar"],
    ['#[path = "q.rs"]\nmod baz;', "2 include ./q.rs"],
    ["extern crate k as l;", "1 static k"],
    ["mod t { use super::z::W; mod inner; }", "1 static self::z: W", "1 include self::t::inner"],
    ["mod t { use super::super::z; }", "1 static super: z"],
    ["use x;\nfn f() { use crate::m::g; }", "1 static x", "2 static crate::m: g"],
  ]);
});

test("imports of Go: names are those taken by the qualifier", () => {
  const use = "func f() { q.B(q.A); bar.New(); yaml.Decode(); x.q.No() }";
  check("go", [
    [`package p\nimport q "a/b"\n${use}`, "2 static a/b: A B"],
    [`package p\nimport (\n  . "c"\n  _ "d"\n)`, "3 static c: *", "4 static d"],
    [`package p\nimport "example.com/go-bar/v2"\n${use}`, "2 static example.com/go-bar/v2: New"],
    [`package p\nimport "gopkg.in/yaml.v3"\n${use}`, "2 static gopkg.in/yaml.v3: Decode"],
  ]);
  const { namespaces, usedNames } = extractSource("package p\nvar a = b.c\n", "go");
  const words = ["a", "b", "p", "package", "var"].map(nameHash);
  assert.deepEqual([namespaces, [...usedNames]], [["p"], words.sort((one, other) => one - other)]);
});

test("imports of Java, Kotlin and Scala", () => {
  check("java", [
    ["package a.b;\nimport x.y.Z;\nclass A {}", "2 static x.y: Z"],
    ["import x.y.*;", "1 static x.y: *"],
    ["import static x.y.Z.f;", "1 static x.y.Z: f"],
  ]);
  check("kotlin", [
    ["package a.b\nimport x.y.Z as W\nimport x.y.*", "2 static x.y: Z", "3 static x.y: *"],
    ["import x.`in`.Y", "1 static x.in: Y"],
  ]);
  check("scala", [
    ["import x.y.{Z, W => V, Q => _, _}", "1 static x.y: Z W *"],
    ["import x.y._\nimport x.z.*", "1 static x.y: *", "2 static x.z: *"],
    ["import a.B, c.D", "1 static a: B", "1 static c: D"],
    ["object A { import q.r }", "1 static q: r"],
  ]);
  const scala = "package a.b\npackage c\nclass D";
  assert.deepEqual(extractSource(scala, "scala").namespaces, ["a.b", "a.b.c"]);
  assert.deepEqual(extractSource("package a.b;\nclass C {}", "java").namespaces, ["a.b"]);
});

test("imports of C and C++: in every branch, not in comments", () => {
  const rows: readonly Row[] = [
    ['#include <stdio.h>\n#include "a/b.h"', "1 include <stdio.h>: *", "2 include a/b.h: *"],
    [
      '#ifdef A\n#  include "a.h"\n#else\n#include "b.h"\n#endif',
      "2 include a.h: *",
      "4 include b.h: *",
    ],
    ['/*\n#include "no.h"\n*/\n// #include "no"\n#include MACRO\nchar *s = "\\\n#include <no>";'],
  ];
  check("c", rows);
  check("cpp", rows);
});

test("imports of C#: namespaces one inside of the other", () => {
  check("csharp", [
    ["global using A.B;", "1 static A.B: *"],
    ["using static A.C;", "1 static A.C: *"],
    ["using X = A.D<int>;", "1 static A: D"],
    ["class C { void F() { using var x = G(); using (y) {} } }"],
  ]);
  const nested = "namespace N.M { class C {} namespace O { class D {} } }\nnamespace P {}\n";
  assert.deepEqual(extractSource(nested, "csharp").namespaces, ["N.M", "N.M.O", "P"]);
  assert.deepEqual(extractSource("namespace Q;\nclass C {}", "csharp").namespaces, ["Q"]);
});

test("imports of Ruby: plain, relative, put together, autoload", () => {
  check("ruby", [
    ['require "a/b"', "1 static a/b"],
    ["require_relative 'c'\nrequire_relative '../d'", "1 static ./c", "2 static ../d"],
    ['load "d.rb"', "1 dynamic d.rb"],
    ['autoload :X, "x/y"', "1 dynamic x/y: X"],
    ['require File.expand_path("../e", __FILE__)', "1 static ./e"],
    ['require File.expand_path("f", __dir__)', "1 static ./f"],
    ['require File.join(File.dirname(__FILE__), "g")', "1 static ./g"],
    ['require "x/#{y}"\nfoo.required "no"'],
  ]);
});

test("imports of PHP: groups, functions, files", () => {
  check("php", [
    ["<?php\nuse C\\D;", "2 static C: D"],
    ["<?php\nuse C\\{E, F\\G as H};", "2 static C: E", "2 static C\\F: G"],
    ["<?php\nuse function H\\i;\nuse \\Top;", "2 static H: i", "3 static Top"],
    ["<?php\nrequire __DIR__ . '/x.php';", "2 include ./x.php"],
    ["<?php\nrequire_once dirname(__FILE__) . '/x.php';", "2 include ./x.php"],
    ["<?php\nrequire dirname(dirname(__FILE__)) . '/x.php';", "2 include ./../x.php"],
    ["<?php\nrequire dirname(__DIR__) . '/x.php';", "2 include ./../x.php"],
    ['<?php\ninclude_once("y.php");\ninclude $z;', "2 include y.php"],
    ["<?php\nrequire ABSPATH . 'w/x.php';", "2 include w/x.php"],
    ["<?php\nclass Q { use TraitX; }\n$f = function () use ($a) {};"],
  ]);
  assert.deepEqual(extractSource("<?php\nnamespace A\\B;\nclass C {}", "php").namespaces, ["A\\B"]);
});

test("imports of Swift: modules and single declarations", () => {
  check("swift", [
    ["import Foundation", "1 static Foundation: *"],
    ["@testable import C", "1 static C: *"],
    ["import struct A.B", "1 static A: B"],
    ["import A.Sub", "1 static A: *"],
  ]);
});

test("imports of Bash: paths beside the script, behind variables, not commands that look alike", () => {
  check("bash", [
    ["source ./lib.sh", "1 include ./lib.sh"],
    ['. "lib/common.sh" --flag', "1 include lib/common.sh"],
    ['source "$(dirname "$0")/a.sh"', "1 include ./a.sh"],
    ['. "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../b.sh"', "1 include ./../b.sh"],
    ['source "${BASH_SOURCE%/*}/c.sh"', "1 include ./c.sh"],
    ['[ -f "$ROOT/d.sh" ] && . "$ROOT/d.sh"', "1 include $ROOT/d.sh"],
    ['f() {\n  source "$DIR"/e.sh\n}', "2 include $DIR/e.sh"],
    ['source "$file"\nsource <(kubectl completion bash)\n. "$dir/$name.sh"'],
    ["echo source ./x.sh; sourced ./y.sh; # source z.sh\ncat <<A\nsource w.sh\nA"],
  ]);
});

test("imports of Lua: require in any form, paths, modules beside", () => {
  check("lua", [
    ['local a = require("x.y")', "1 static x.y"],
    ["local a = require 'x.y'.z", "1 static x.y"],
    ["return require [[x]]", "1 static x"],
    ['local ok, m = pcall(require, "opt")', "1 dynamic opt"],
    ['dofile("conf/a.lua")', "1 include conf/a.lua"],
    ['local b = require(... .. ".b")', "1 static ./b"],
    ['local c = require((...):gsub("%.init$", "") .. ".c.d")', "1 static ./c/d"],
    [
      'require(name)\nrequire("a" .. b)\nx.require("no")\n-- require "no"\nlocal s = "require \'no\'"',
    ],
  ]);
});

test("imports of Elixir: alias, import, require, use, groups, full names", () => {
  check("elixir", [
    ["alias A.B", "1 static A.B"],
    ["alias A.B, as: C", "1 static A.B"],
    ["alias A.{\n  B, # C,\n  D.E\n}", "1 static A.B", "1 static A.D.E"],
    ["import A.B, only: [f: 1, g!: 2]", "1 static A.B: f g!"],
    ["import A", "1 static A: *"],
    ["require Logger", "1 static Logger"],
    ["use A.B, option: 1", "1 static A.B: *"],
    [
      "defmodule A do\n  alias __MODULE__.{B}\n  alias __MODULE__.C\nend",
      "2 static A.B",
      "3 static A.C",
    ],
    ["A.B.f(A.B.g(), %A.C{})", "1 static A.B", "1 static A.C"],
    [":alias\nfoo.alias(A)\n# alias A.B"],
  ]);
});

test("imports of Haskell: qualified, lists, hiding, the module itself", () => {
  check("haskell", [
    ["import A.B", "1 static A.B: *"],
    ["import qualified A.B as C", "1 static A.B: *"],
    ["import A.B qualified as C", "1 static A.B: *"],
    ["import A (f, T(..), (<+>), C(m, (+++)), type (~>))", "1 static A: f T <+> C ~>"],
    ["import A hiding (f)", "1 static A: *"],
    ["import A ()", "1 static A"],
    ['import "base" A (f -- g,\n  , h)', "1 static A: f h"],
    ["module M where\nimport A\nx = 1 -- import B\n{- import C -}", "2 static A: *"],
  ]);
  assert.deepEqual(extractSource("module A.B (c) where\n", "haskell").namespaces, ["A.B"]);
});

test("imports of Zig: files, modules, what is taken at once", () => {
  check("zig", [
    ['const std = @import("std");', "1 static std"],
    ['const T = @import("a/b.zig").T;', "1 static a/b.zig: T"],
    ['fn f() void {\n  _ = @import("c.zig");\n}', "2 static c.zig"],
    ['pub usingnamespace @import("d.zig");', "1 static d.zig"],
    ['const x = @embedFile("e.txt"); // @import("f.zig")\nconst s = "@import(g)";'],
  ]);
});

test("extractSource() finds the same symbols as extractSymbols()", () => {
  const text = 'import a from "a";\nexport class A { f() { return require("b"); } }\n';
  const { symbols, isComplete } = extractSource(text, "typescript");
  assert.deepEqual({ symbols, hasErrors: false, isComplete }, extractSymbols(text, "typescript"));
});

test("a file keeps at most so many imports, and nothing in it is too long or too deep", () => {
  const many = Array.from({ length: importCountMax + 5 }, (_, index) => `import "m${index}";`);
  assert.equal(extractSource(many.join("\n"), "javascript").imports.length, importCountMax);
  assert.deepEqual(listed("javascript", `import "${"x".repeat(5000)}";`), []);
  const deep = `use ${"a::{".repeat(3000)}b${"}".repeat(3000)};`;
  assert.ok(listed("rust", deep).length < 100);
});

const languages = ["typescript", "javascript", "python", "rust", "go", "java", "kotlin", "scala"];
languages.push("c", "cpp", "csharp", "ruby", "php", "swift");
languages.push("bash", "lua", "elixir", "haskell", "zig");

test("extractSource() throws for no text in any language", () => {
  const words = ["import", "from", "use", "{", "}", "(", ")", '"', "'", "\\", ".", "::", ",", "a"];
  const text = fc.array(
    fc.constantFrom(
      ...words,
      "\n",
      " ",
      "/*",
      "#include",
      "require",
      "package",
      "namespace",
      "alias",
      "defmodule",
      "source",
      "using",
      ";",
      "*",
    ),
    { maxLength: 30 },
  );
  const language = fc.constantFrom(...languages);
  fc.assert(
    fc.property(text, language, fc.constantFrom("", " "), (parts, name, glue) => {
      for (const found of extractSource(parts.join(glue), name).imports) {
        assert.ok(found.specifier.length > 0 && found.line1 > 0);
      }
    }),
    { numRuns: repetitions(1500), seed: 3 },
  );
});
