import { test } from "node:test";
import { type Tree, check } from "./test-support/check-resolved.ts";

test("modules of Rust: mod, crate, super, workspace crates and their other names", () => {
  check([
    {
      rule: "within a crate",
      tree: {
        "Cargo.toml": '[package]\nname = "c-x"\n',
        "src/lib.rs": "mod a;\nmod d;\nuse a::b::T;\n",
        "src/main.rs": "use c_x::a::b;\nfn main() {}",
        "src/a/mod.rs": "pub mod b;\nuse super::d::D;\nuse crate::d;",
        "src/a/b.rs":
          "use super::X;\nuse super::super::d::D;\nuse crate::a::b::c::E;\nuse std::fmt;\nmod t { use super::Y; use crate::d::Q; }",
        "src/d.rs": "mod e;\nuse self::e::F;",
        "src/d/e.rs": "",
      },
      from: "src/a/b.rs",
      expected: ["super > src/a/mod.rs", "super::super::d > src/d.rs", "crate::d > src/d.rs"],
    },
    {
      rule: "children",
      tree: { "src/lib.rs": "mod a;\nmod b;\nuse a::T;", "src/a.rs": "", "src/b/mod.rs": "" },
      from: "src/lib.rs",
      expected: ["self::a > src/a.rs", "self::b > src/b/mod.rs", "a > src/a.rs"],
    },
    {
      rule: "children of a file that is no root lie in its folder",
      tree: {
        "src/lib.rs": "mod d;",
        "src/d.rs": "mod e;\nuse self::e::F;",
        "src/d/e.rs": "",
        "src/e.rs": "",
      },
      from: "src/d.rs",
      expected: ["self::e > src/d/e.rs", "self::e > src/d/e.rs"],
    },
    {
      rule: "crates of a workspace",
      tree: {
        "Cargo.toml": '[workspace]\nmembers = ["a", "b"]',
        "a/Cargo.toml":
          '[package]\nname = "a"\n[dependencies]\nother = { package = "b-lib", path = "../b" }\n',
        "a/src/lib.rs": "use other::m::T;\nuse b_lib::{U, n};\nuse serde::Serialize;",
        "a/tests/it.rs": "use a::f;\nmod common;\nuse crate::common::g;",
        "a/tests/common/mod.rs": "",
        "b/Cargo.toml": '[package]\nname = "b-lib"\n[lib]\npath = "code/root.rs"\n',
        "b/code/root.rs": "mod m; mod n;",
        "b/code/m.rs": "",
        "b/code/n.rs": "",
      },
      from: "a/src/lib.rs",
      expected: ["other::m > b/code/m.rs", "b_lib > b/code/root.rs b/code/n.rs"],
    },
    {
      rule: "tests are crates of their own",
      tree: {
        "Cargo.toml": '[package]\nname = "a"',
        "src/lib.rs": "",
        "tests/it.rs":
          '#[path = "shared/x.rs"]\nmod x;\nuse a::f;\nmod common;\nuse crate::common::g;',
        "tests/common/mod.rs": "",
        "tests/shared/x.rs": "",
      },
      from: "tests/it.rs",
      expected: [
        "./shared/x.rs > tests/shared/x.rs",
        "a > src/lib.rs",
        "self::common > tests/common/mod.rs",
        "crate::common > tests/common/mod.rs",
      ],
    },
  ]);
});

test("packages of Go: module paths, replace, vendor, files by the names taken, own package", () => {
  const module: Tree = {
    "go.mod":
      "module example.com/m // comment\n\nreplace (\n\texample.com/other v1.0.0 => ./forks/other\n)\n",
    "util/doc.go": "package util\n",
    "util/text.go": "package util\nfunc Trim() {}\n",
    "util/num.go": "package util\nfunc Add() {}\n",
    "util/num_test.go": "package util\nfunc Add2() {}\n",
    "forks/other/go.mod": "module example.com/forked\n",
    "forks/other/o.go": "package other\nfunc O() {}\n",
    "vendor/github.com/v/v/v.go": "package v\nfunc V() {}\n",
    "tools/go.mod": "module example.com/m/tools\n",
    "tools/gen/g.go": "package gen\nfunc G() {}\n",
  };
  check([
    {
      rule: "imports",
      tree: {
        ...module,
        "main.go":
          'package main\nimport (\n"fmt"\n"example.com/m/util"\n"example.com/other"\n"github.com/v/v"\n"example.com/m/tools/gen"\n_ "example.com/none"\n)\nfunc main() { util.Trim(); other.O(); v.V(); gen.G(); help() }\n',
        "help.go": "package main\nfunc help() {}\n",
        "help_test.go": "package main\nfunc help2() { help() }\n",
      },
      from: "main.go",
      expected: [
        "example.com/m/util > util/text.go",
        "example.com/other > forks/other/o.go",
        "github.com/v/v > vendor/github.com/v/v/v.go",
        "example.com/m/tools/gen > tools/gen/g.go",
        "* > help.go",
      ],
    },
    {
      rule: "for its effects alone",
      tree: { ...module, "a.go": 'package a\nimport _ "example.com/m/util"\n' },
      from: "a.go",
      expected: ["example.com/m/util > util/doc.go"],
    },
    {
      rule: "without go.mod the end of the path decides",
      tree: {
        "x/util/u.go": "package util\nfunc U() {}\n",
        "y/util/u.go": "package util\nfunc U() {}\n",
        "a.go": 'package a\nimport "github.com/k/k/y/util"\nfunc f() { util.U() }',
      },
      from: "a.go",
      expected: ["github.com/k/k/y/util > y/util/u.go?"],
    },
  ]);
});

test("packages of Java, Kotlin and Scala: by declaration, by folder, wildcards by use", () => {
  const tree: Tree = {
    "src/main/java/a/b/C.java": "package a.b;\npublic class C { static class In {} static int f; }",
    "src/main/java/a/b/D.java": "package a.b;\nclass D {}",
    "src/main/java/a/b/Other.java": "package a.b;\nclass Other {}",
    "anywhere/Ext.kt": "package a.x\nfun extra() {}\nclass Kt\n",
    "a/x/y/Sc.scala": "package a.x\npackage y\nobject Sc\nclass Two\n",
  };
  check([
    {
      rule: "Java",
      tree: {
        ...tree,
        "src/test/java/a/q/T.java":
          "package a.q;\nimport a.b.C;\nimport a.b.C.In;\nimport static a.b.C.f;\nimport static a.b.C.*;\nimport a.x.Kt;\nimport java.util.List;\nimport a.b.*;\nclass T { D d; }",
      },
      from: "src/test/java/a/q/T.java",
      expected: [
        "a.b > src/main/java/a/b/C.java",
        "a.b.C > src/main/java/a/b/C.java",
        "a.b.C > src/main/java/a/b/C.java",
        "a.b.C > src/main/java/a/b/C.java",
        "a.x > anywhere/Ext.kt",
        "a.b > src/main/java/a/b/C.java src/main/java/a/b/D.java",
      ],
    },
    {
      rule: "Java's own package",
      tree: { ...tree, "src/main/java/a/b/E.java": "package a.b;\nclass E extends C { Other o; }" },
      from: "src/main/java/a/b/E.java",
      expected: ["* > src/main/java/a/b/C.java src/main/java/a/b/Other.java"],
    },
    {
      rule: "Kotlin",
      tree: { ...tree, "k.kt": "import a.x.extra\nimport a.x.y.Sc\nimport a.b.C\n" },
      from: "k.kt",
      expected: [
        "a.x > anywhere/Ext.kt",
        "a.x.y > a/x/y/Sc.scala",
        "a.b > src/main/java/a/b/C.java",
      ],
    },
    {
      rule: "Kotlin's functions, also of other types, by use",
      tree: {
        "f.kt": "package p\nfun String.shout() = 1\nfun plain() {}\n",
        "g.kt": "package p\nfun other() {}\n",
        "k.kt": 'package q\nimport p.*\nval x = "a".shout()\n',
      },
      from: "k.kt",
      expected: ["p > f.kt"],
    },
    {
      rule: "a package of Scala itself",
      tree: {
        "m/Map.scala": "package c.m\nclass Map",
        "m/Set.scala": "package c.m\nclass Set",
        "s.scala": "package d\nimport c.m\nval x = m.Map",
      },
      from: "s.scala",
      expected: ["c > m/Map.scala?"],
    },
    {
      rule: "Scala, relative to its own package",
      tree: {
        ...tree,
        "s.scala": "package a.x\nimport y.{Sc, Two => Z}\nimport _root_.a.b.C\nclass S",
      },
      from: "s.scala",
      expected: ["y > a/x/y/Sc.scala", "_root_.a.b > src/main/java/a/b/C.java"],
    },
    {
      rule: "two of one name: the one that is nearer",
      tree: {
        "one/src/p/A.java": "package p; class A {}",
        "two/src/p/A.java": "package p; class A {}",
        "two/src/q/B.java": "package q; import p.A; class B {}",
      },
      from: "two/src/q/B.java",
      expected: ["p > two/src/p/A.java"],
    },
  ]);
});

test("includes of C: beside, include folders, the end of the path; never system headers", () => {
  check([
    {
      rule: "places",
      tree: {
        "lib/src/a.c":
          '#include "a.h"\n#include "../x/b.h"\n#include <proj/c.h>\n#include <stdio.h>\n#include "deep/d.h"\n#include "../../../out.h"\n#include "both.h"',
        "lib/src/a.h": "",
        "lib/x/b.h": "",
        "lib/include/proj/c.h": "",
        "compat/stdio.h": "",
        "third/party/deep/d.h": "",
        "p/both.h": "",
        "q/both.h": "",
      },
      from: "lib/src/a.c",
      expected: [
        "a.h > lib/src/a.h",
        "../x/b.h > lib/x/b.h",
        "<proj/c.h> > lib/include/proj/c.h",
        "deep/d.h > third/party/deep/d.h",
        "both.h > p/both.h? q/both.h?",
      ],
    },
  ]);
});

test("namespaces of C#: by use, aliases, own and outer ones", () => {
  check([
    {
      rule: "using",
      tree: {
        "A.cs": "namespace N.A { public class A1 {} }",
        "A2.cs": "namespace N.A { public class A2 {} public static class S { } }",
        "N.cs": "namespace N { class Outer {} class Unused {} }",
        "X.cs":
          "using N.A;\nusing static N.A.S;\nusing Al = N.A.A2;\nusing System;\nnamespace N.X;\n[Mark] class X { A1 a; Outer o; }",
        "M.cs": "namespace N { class MarkAttribute : Attribute {} }",
      },
      from: "X.cs",
      expected: ["N.A > A.cs A2.cs", "N.A.S > A2.cs", "N.A > A2.cs", "* > N.cs M.cs"],
    },
  ]);
});

test("modules of Swift: targets by manifest and folder, files by use", () => {
  check([
    {
      rule: "targets",
      tree: {
        "Package.swift":
          'let package = Package(targets: [ .target(name: "Core", path: "code/core"), .testTarget(name: "CoreTests", dependencies: ["Core"]) ])',
        "code/core/a.swift": "public struct Alpha {}",
        "code/core/b.swift": "public class Beta { var a: Alpha? }",
        "Sources/Other/o.swift": "public enum Omega {}",
        "Tests/CoreTests/t.swift":
          "@testable import Core\nimport Foundation\nimport enum Other.Omega\nfinal class T { var b: Beta?; var h: Helper? }",
        "Tests/CoreTests/h.swift": "class Helper {}",
      },
      from: "Tests/CoreTests/t.swift",
      expected: [
        "Core > code/core/b.swift",
        "Other > Sources/Other/o.swift",
        "* > Tests/CoreTests/h.swift",
      ],
    },
  ]);
});

test("modules of Elixir: by definition, the module around, never the standard library", () => {
  check([
    {
      rule: "definitions",
      tree: {
        "lib/a.ex":
          "defmodule App.A do\n  alias App.{B, C}\n  use App.B.Inner\n  require Logger\n  App.D.f()\n  Enum.map([], & &1)\nend\n",
        "lib/b.ex": "defmodule App.B do\n  defmodule Inner do\n  end\nend\n",
        "lib/c.ex": "defprotocol App.C do\nend\n",
        "lib/d.ex": "defmodule App.D do\nend\n",
      },
      from: "lib/a.ex",
      expected: [
        "App.B > lib/b.ex",
        "App.C > lib/c.ex",
        "App.B.Inner > lib/b.ex?",
        "App.D > lib/d.ex",
      ],
    },
  ]);
});

test("modules of Haskell: by their headers, else by path", () => {
  check([
    {
      rule: "headers",
      tree: {
        "app/Main.hs": "module Main where\nimport Data.Tree\nimport Odd.Name\nimport Data.List\n",
        "src/Data/Tree.hs": "module Data.Tree where\n",
        "src/generated/x.hs": "module Odd.Name (a) where\n",
      },
      from: "app/Main.hs",
      expected: ["Data.Tree > src/Data/Tree.hs", "Odd.Name > src/generated/x.hs"],
    },
  ]);
});

test("files of Zig: relative, modules of build.zig, never the compiler's own", () => {
  check([
    {
      rule: "modules",
      tree: {
        "build.zig":
          'pub fn build(b: *B) void {\n  _ = b.addModule("core", .{ .root_source_file = b.path("src/root.zig") });\n}\n',
        "src/main.zig":
          'const std = @import("std");\nconst a = @import("a/b.zig");\nconst up = @import("../c.zig");\nconst core = @import("core");\nconst none = @import("none.zig");\n',
        "src/root.zig": "",
        "src/a/b.zig": "",
        "c.zig": "",
        "lib/std.zig": "",
      },
      from: "src/main.zig",
      expected: ["a/b.zig > src/a/b.zig", "../c.zig > c.zig", "core > src/root.zig"],
    },
  ]);
});
