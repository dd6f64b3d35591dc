import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** What a hostile tree has. */
export interface HostileTreeOptions {
  /** Files in one folder. */
  readonly fileCount: number;
  /** How deep the brackets of its sources are nested, in each language. */
  readonly nestingCount: number;
}

/** An opening and a closing that nest, by the ending of a file that they make. */
const nestings: readonly (readonly [ending: string, open: string, close: string])[] = [
  ["ts", "function f() {", "}"],
  ["mts", "x = [", "]"],
  ["js", "class A { m() { return ", "}}"],
  ["tsx", "<a>", "</a>"],
  ["py", "(lambda: ", ")"],
  ["rs", "mod a {", "}"],
  ["go", "func() {", "}"],
  ["java", "class A {", "}"],
  ["c", "struct a {", "} b;"],
  ["cpp", "namespace a {", "}"],
  ["cs", "namespace a {", "}"],
  ["rb", "module A\n", "end\n"],
  ["php", "<?php function f() {", "}"],
  ["kt", "class A {", "}"],
  ["swift", "class A {", "}"],
  ["scala", "object A {", "}"],
  ["sh", "f() { ", "}\n"],
  ["lua", "function f() ", "end "],
  ["ex", "defmodule A do\n", "end\n"],
  ["hs", "f = (", ")"],
  ["zig", "const a = struct {", "};"],
  ["json", "[", "]"],
  ["yaml", "- ", ""],
  ["md", "> ", ""],
];

/**
 * Makes a tree of all that is hard on a program that reads trees: many files in a folder, long lines, deep nesting in
 * every language, binary and wrongly encoded content, names that are hard to print, links in circles, pipes and sockets,
 * and files that projects are read by (`.gitignore`, `package.json`) that are none.
 *
 * One good file in it, `good/needle.ts`, defines `findTheNeedle`.
 *
 * @param root A folder; exists.
 */
export function makeHostileTree(root: string, options: HostileTreeOptions): void {
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  write(
    "good/needle.ts",
    "/** Finds it. */\nexport function findTheNeedle(): number {\n  return 1;\n}\n",
  );
  for (let index = 0; index < options.fileCount; index += 1)
    write(`many/f${index}.ts`, `export const value${index} = ${index};\n`);
  writeTexts(write, options.nestingCount);
  writeNames(root, write);
  writeProjectFiles(write);
  if (process.platform !== "win32") makeSpecials(root);
}

type Write = (path: string, content: string | Uint8Array) => void;

function writeTexts(write: Write, nestingCount: number): void {
  for (const [ending, open, close] of nestings) {
    write(`deep/closed.${ending}`, open.repeat(nestingCount) + close.repeat(nestingCount));
    write(`deep/open.${ending}`, open.repeat(nestingCount));
  }
  write("lines/one.js", `var a = "${"x".repeat(999_000)}";`);
  write("lines/one.txt", "word ".repeat(199_000));
  write("lines/bundle.min.js", "function a(b){return b?a(b-1):[{c:1}]};".repeat(24_000));
  write("lines/bundle.min.css", ".a{b:c}".repeat(130_000));
  write("lines/empty.ts", "\n".repeat(900_000));
  write("lines/data.json", `[${"1,".repeat(400_000)}1]`);
  write("lines/backslashes.hs", "\\".repeat(50_000));
  write("lines/quotes.py", "'".repeat(50_000));
  write("lines/words.md", "prose is not a program\n".repeat(40_000));
  write("large/over.txt", Buffer.alloc(3_000_000, "over "));
  write("large/empty.ts", "");
  const noise = Buffer.from(
    Array.from({ length: 100_000 }, (_, index) => (index * index * 31) % 256),
  );
  write("bytes/binary.ts", noise);
  write("bytes/late.py", Buffer.concat([Buffer.from("x = 1\n".repeat(3000)), noise]));
  write(
    "bytes/invalid.py",
    noise.map((byte) => byte || 0xff),
  );
  write("bytes/latin1.c", Buffer.from("/* \u00e9t\u00e9 */ int \u00e9;\n".repeat(2000), "latin1"));
  write("bytes/utf16le.ts", Buffer.from("\uFEFFexport const a = 1;\n".repeat(100), "utf16le"));
  write("bytes/utf16be.cs", Buffer.from("\uFEFFclass A {}\n".repeat(100), "utf16le").swap16());
  write("bytes/bom.ts", "\uFEFF".repeat(1000));
  write("bytes/surrogate.js", Buffer.from("\xed\xa0\x80".repeat(10_000), "latin1"));
  write("bytes/controls.sh", "\u0001\u001b[2J\u0007\u2028\u202e".repeat(5000));
  write("bytes/returns.ts", "export const a = 1;\r".repeat(10_000));
}

function writeNames(root: string, write: Write): void {
  const names = [
    " ",
    "-rf",
    "--help",
    "quote'\".ts",
    "e\u0301 \u00e9.ts",
    "\u202egnp.ts",
    "\u{1f600}.py",
    "$(id).sh",
    "%s%n.c",
  ];
  if (process.platform !== "win32")
    names.push(
      "new\nline.ts",
      "tab\t.ts",
      "back\\slash.ts",
      "\u001b[31m.ts",
      "con:<>|?*.ts",
      `${"n".repeat(252)}.ts`,
    );
  for (const name of names) {
    write(`names/${name}`, "export const named = 1;\n");
    if (name.trim() !== "" && name.length < 200)
      write(`folders/${name}.d/inside.ts`, "export const inside = 1;\n");
  }
  write(`${"d/".repeat(400)}deep.ts`, "export const deep = 1;\n");
  if (process.platform !== "linux") return;
  // Names that are no UTF-8.
  const raw = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
  writeFileSync(raw("names/\xff\xfe.ts"), "export const raw = 1;\n");
  mkdirSync(raw("folders/\xe9t\xe9"));
  writeFileSync(raw("folders/\xe9t\xe9/inside.ts"), "export const raw = 1;\n");
}

function writeProjectFiles(write: Write): void {
  write(
    "ignore/many/.gitignore",
    Array.from({ length: 5000 }, (_, index) => `**/a*b*c*${index}*/**/x[a-z]?\n`).join(""),
  );
  write("ignore/many/aabbcc/kept.ts", "export const kept = 1;\n");
  write(
    "ignore/wild/.gitignore",
    `${"*a".repeat(60)}b\n${"**/".repeat(60)}z\n[\n[!\n\\\n!\n/\n**\n!${"a".repeat(5000)}\n`,
  );
  write(`ignore/wild/${"a".repeat(200)}`, "a\n");
  write(
    "ignore/binary/.codetoolignore",
    Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256)),
  );
  write("ignore/binary/kept.ts", "export const kept = 1;\n");
  write("ignore/folder/.gitignore/inside.ts", "export const inside = 1;\n");
  write("project/package.json", `{"name":${"[".repeat(10_000)}`);
  write(
    "project/tsconfig.json",
    '{"extends":"./tsconfig.json","compilerOptions":{"baseUrl":"../../../..","paths":{"*":["*"]}}}',
  );
  write(
    "project/a.ts",
    'import "./b";\nimport "@/x";\nimport "../../../../../../etc/passwd";\nimport "";\n',
  );
  write("project/b.ts", 'export * from "./a";\nexport * from "./b";\n');
  write("project/go.mod", "module \n\n(((");
  write("project/Cargo.toml", '[workspace]\nmembers = ["../*", "..", "/"]\n[[[[');
  write("project/pyproject.toml", "\0\0\0");
  write("project/composer.json", '{"autoload":{"psr-4":{"":[1,null,{}]}}}');
}

function makeSpecials(root: string): void {
  mkdirSync(join(root, "links/inner"), { recursive: true });
  symlinkSync(".", join(root, "links/self"));
  symlinkSync("../..", join(root, "links/inner/up"));
  symlinkSync("b", join(root, "links/a"));
  symlinkSync("a", join(root, "links/b"));
  symlinkSync("nowhere", join(root, "links/dangling.ts"));
  symlinkSync("/etc", join(root, "links/etc"));
  symlinkSync("/dev/zero", join(root, "links/zero.ts"));
  symlinkSync("../good/needle.ts", join(root, "links/needle.ts"));
  mkdirSync(join(root, "special/ignored"), { recursive: true });
  for (const path of [
    "special/pipe.ts",
    "special/ignored/.gitignore",
    "special/package.json",
    "special/tsconfig.json",
  ])
    execFileSync("mkfifo", [join(root, path)]);
  writeFileSync(join(root, "special/ignored/kept.ts"), 'import "x";\nexport const kept = 1;\n');
  writeFileSync(join(root, "special/a.ts"), 'import "y";\nexport const a = 1;\n');
}
