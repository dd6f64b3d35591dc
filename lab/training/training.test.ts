import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanComment } from "./clean-comment.ts";
import { commentBefore, definitionsOf, docstringIn } from "./definitions.ts";
import { describedTests, headedSections } from "./described.ts";
import { licenceOf } from "./licence.ts";
import { NumberList, TokenWriter } from "./token-writer.ts";

const permission = "Permission is hereby granted, free of charge, to any person";

test("licenceOf() knows the permissive licences, and takes no other for one", () => {
  const rows: readonly (readonly [string, string | null])[] = [
    [`MIT License\n\n${permission} obtaining a copy\nof this software`, "MIT"],
    ["Apache License\n   Version 2.0, January 2004", "Apache-2.0"],
    ["/* Permission to use, copy, modify, and distribute this software\n * for any purpose", "ISC"],
    ["Redistribution and use in source and binary forms, with or", "BSD-2-Clause"],
    [
      "Redistribution and use in source\n and binary forms ... Neither the name of the",
      "BSD-3-Clause",
    ],
    [`Boost Software License\n${permission} or organization obtaining a copy`, null],
    ["GNU GENERAL PUBLIC LICENSE\nVersion 2", null],
    ["Mozilla Public License Version 2.0", null],
    [`${permission} obtaining a copy of ... under the Commons Clause`, null],
    ["Business Source License 1.1 ... Change License: Apache License, Version 2.0", null],
    ["All rights reserved.", null],
  ];
  for (const [text, expected] of rows) assert.equal(licenceOf(text), expected, text);
});

test("cleanComment() keeps the first paragraph of prose, without marks, tags and addresses", () => {
  const rows: readonly (readonly [string, string])[] = [
    [
      "/**\n * Parses a header.\n * Folds lines.\n *\n * More.\n * @param x y\n */",
      "Parses a header. Folds lines.",
    ],
    ["/// Sends a frame,\n/// see https://a.b/c\n", "Sends a frame, see"],
    ['"""Read the file.\n\n    Args:\n        path: where\n    """', "Read the file."],
    ["# Copyright 2020 A. Body\n# Licensed under MIT", ""],
    ["// @internal\n", ""],
    ["-- | Merges two maps.", "Merges two maps."],
    ["// <summary>Adds a <b>route</b>.</summary>", "Adds a route ."],
  ];
  for (const [comment, expected] of rows) assert.equal(cleanComment(comment), expected);
});

test("definitions of a language without grammar reach to the next, and comments before them are found", () => {
  const text = Buffer.from(
    "; head\n\n# Opens it.\n# Twice.\nopen-door() {\n  a\n}\n\nclose() {\n  b\n}\n",
  );
  const found = definitionsOf(text, "bash", []);
  assert.deepEqual(
    found.map(({ name }) => name),
    ["open-door", "close"],
  );
  const comment = commentBefore(text, found[0]?.startByte ?? 0);
  assert.equal(
    text.toString("utf8", comment?.startByte, comment?.endByte),
    "# Opens it.\n# Twice.\n",
  );
  assert.equal(commentBefore(text, found[1]?.startByte ?? 0), null);
  assert.deepEqual(definitionsOf(text, "brainfuck", []), []);
});

test("docstringIn() finds the string that begins a Python body, not a later one", () => {
  const first = Buffer.from('def f(a):\n    """Says a."""\n    return a\n');
  const range = docstringIn(first, { name: "f", startByte: 0, endByte: first.length });
  assert.equal(first.toString("utf8", range?.startByte, range?.endByte).trim(), '"""Says a."""');
  const later = Buffer.from('def f(a):\n    if a:\n        """No."""\n');
  assert.equal(docstringIn(later, { name: "f", startByte: 0, endByte: later.length }), null);
});

test("tests that say what they check, and sections with a heading, give titles and what stands below", () => {
  const tests = Buffer.from(
    'it("closes the socket on error", () => {\n  const socket = open();\n  socket.fail(new Error());\n});\nit("x", f)\n',
  );
  const [described] = describedTests(tests);
  assert.equal(described?.title, "closes the socket on error");
  assert.match(
    tests.toString("utf8", described?.startByte, described?.endByte),
    /^ {2}const socket/,
  );
  const body =
    "It waits longer each time, up to a minute, and gives up after the tenth attempt to connect.";
  const sections = headedSections(
    Buffer.from(`# Retry policy\n${body}\n## Empty\n## Last\n${body}`),
  );
  assert.deepEqual(
    sections.map(({ title }) => title),
    ["Retry policy", "Last"],
  );
});

test("TokenWriter tells which tokens a range of bytes became", () => {
  const writer = new TokenWriter();
  writer.add(Buffer.from("before it"));
  const added = writer.add(Buffer.from("readFile then writeFile"));
  assert.deepEqual(added.range, [2, 7]);
  assert.deepEqual(added.rangeOf(0, 8), [2, 4]);
  assert.deepEqual(added.rangeOf(14, 23), [5, 7]);
  const list = new NumberList();
  for (let number = 0; number < 100_000; number += 1) list.push(number);
  assert.equal(list.bytes().length, 400_000);
});
