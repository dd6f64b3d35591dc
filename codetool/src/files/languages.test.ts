import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOfPath, languageOfShebang } from "./languages.ts";

test("languageOfPath() knows names and extensions", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ["a.ts", "typescript"],
    ["a/b.d.ts", "typescript"],
    ["a.tsx", "tsx"],
    ["a.jsx", "javascript"],
    ["a.pyi", "python"],
    ["a.h", "c"],
    ["a.C", "cpp"],
    ["a.hpp", "cpp"],
    ["README.MD", "markdown"],
    ["Makefile", "makefile"],
    ["src/GNUmakefile", "makefile"],
    ["Dockerfile", "dockerfile"],
    ["Dockerfile.dev", "dockerfile"],
    ["dev.dockerfile", "dockerfile"],
    ["Makefile.am", "makefile"],
    ["Makefile.in", "makefile"],
    ["Makefile.PL", "perl"],
    ["src/makefile.ts", "typescript"],
    ["dockerfile.test.ts", "typescript"],
    ["Dockerfile.md", "markdown"],
    ["x.mk", "makefile"],
    ["main.tf", "hcl"],
    ["test.bats", "bash"],
    ["PKGBUILD", "bash"],
    [".zprofile", "bash"],
    ["init.lua", "lua"],
    ["mix.exs", "elixir"],
    ["Setup.hs", "haskell"],
    ["A.hs-boot", "haskell"],
    ["build.zig", "zig"],
    ["LICENSE", null],
    ["a.unknown", null],
    [".gitignore", null],
    ["folder.ts/none", null],
    ["constructor", null],
    ["a.__proto__", null],
  ];
  for (const [path, expected] of rows) assert.equal(languageOfPath(path), expected, path);
});

test("languageOfShebang() reads the interpreter of the first line", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    ["#!/bin/sh\n", "bash"],
    ["#!/usr/bin/env python3\nprint()", "python"],
    ["#!/usr/bin/env -S node --no-warnings\n", "javascript"],
    ["#!/usr/bin/env A=b ruby\n", "ruby"],
    ["#! /usr/bin/perl -w\r\n", "perl"],
    ["#!/usr/bin/python3.11", "python"],
    ["#!/usr/bin/env bats", "bash"],
    ["#!/usr/bin/env luajit\n", "lua"],
    ["#!/usr/bin/lua5.4\n", "lua"],
    ["#!/usr/bin/env runhaskell\n", "haskell"],
    ["#!/opt/unknown\n", null],
    ["#!", null],
    ["print()", null],
    ["", null],
  ];
  for (const [text, expected] of rows) assert.equal(languageOfShebang(text), expected, text);
});
