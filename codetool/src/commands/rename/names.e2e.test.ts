/** `codetool rename` where a name reaches a file by a module of a module, by an embedded type, or in quotes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runCodetool, type Answer } from "../../cli/test-support/codetool.ts";

interface RenameData {
  readonly unresolved: readonly { readonly file: string; readonly line: number }[];
}

async function rename(folder: string, args: readonly string[]): Promise<Answer<RenameData>> {
  const { stdout } = await runCodetool(["rename", ...args], { workingDirectory: folder });
  return JSON.parse(stdout) as Answer<RenameData>;
}

/** Files with `«old»` where a place is to be renamed, and a comment `left` on lines that are listed. */
interface Case {
  readonly files: { readonly [path: string]: string };
  readonly args: readonly [string, string, ...string[]];
}

const cases: { readonly [what: string]: Case } = {
  "TypeScript: a module that another exports under a name": {
    args: ["weigh", "measure", "--in-file", "src/scale.ts"],
    files: {
      "src/scale.ts": "export function «weigh»(grams: number): number { return grams; }\n",
      "src/shop.ts": `export * as scale from "./scale.ts";\nexport * as kitchen from "./kitchen.ts";\n`,
      "src/kitchen.ts": `import * as s from "./scale.ts";\nexport { s, s as pan };\nexport default s;\n`,
      "src/index.ts": `export * from "./shop.ts";\nexport { scale as balance } from "./shop.ts";\n`,
      "src/use.ts": `
import { scale, balance as b, kitchen } from "./index.ts";
import * as all from "./index.ts";
import k, { pan } from "./kitchen.ts";
scale.«weigh»(1); b.«weigh»(2); all.scale.«weigh»(3); all.balance.«weigh»(4);
kitchen.s.«weigh»(5); kitchen.pan.«weigh»(6); k.«weigh»(7); pan.«weigh»(8);
all.kitchen.default.«weigh»(9);
const { weigh } = scale; // left
function f(scale: { weigh(n: number): void }) { scale.weigh(1); }
const other = { weigh() {} };
other.weigh();
`,
    },
  },
  "JavaScript: what module.exports is, and what exports has": {
    args: ["pour", "fill"],
    files: {
      "a.js": `function «pour»() {}\nmodule.exports = { «pour» };\n`,
      "b.js": `const { «pour» } = require("./a.js");\n«pour»();\n`,
    },
  },
  "JavaScript: a name that only exports has": {
    args: ["stir", "mix"],
    files: {
      "a.js": `exports.«stir» = function () {};\nexports.twice = () => exports.«stir»();\n`,
      "b.js": `const { «stir» } = require("./a.js");\n«stir»();\n`,
      "c.js": `app.on("x", function stir() { return stir; });\n`,
    },
  },
  "TypeScript: a type and a value of one name, each beside a local of the other": {
    args: ["Shape", "Form"],
    files: {
      "src/shape.ts": `
export interface «Shape» { sides: number }
export const «Shape» = { of: (sides: number): «Shape» => ({ sides }) };
export function f(Shape: number) { const g: «Shape» | null = null; return [g, Shape]; }
export function g<Shape>(x: Shape): Shape { return «Shape».of(1) as never; }
`,
      "src/use.ts": `
import { «Shape» } from "./shape.ts";
const one: «Shape» = «Shape».of(1);
declare module "./shape.ts" {
  interface Shape { area: number } // left
}
`,
    },
  },
  "Python: annotations in quotes": {
    args: ["Order", "Purchase"],
    files: {
      "shop/__init__.py": "from . import order\n",
      "shop/order.py": `
import typing as t
from typing import Annotated, Literal, Optional, TypeAlias, TypeVar, cast


class «Order»:
    def again(self) -> "«Order»":
        return self

    def all(self, other: "list[«Order»] | None" = None, *more: t.Optional["«Order»"]) -> None:
        kept: "«Order»" = cast("«Order»", other)
        t.cast('t.List["«Order»"]', kept)
        label: Literal["Order"] = "Order"
        odd: Annotated["«Order»", "Order"] = kept


T = TypeVar("T", bound="«Order»")
Alias: TypeAlias = "dict[str, «Order»]"
Later = Optional["Order"]  # left
names = {"Order": 1}
`,
      "shop/use.py": `
import shop
import shop.order as o
from shop import order


def f(a: "order.«Order»", b: "shop.order.«Order»", c: "o.«Order»") -> "Order":
    return shop.order.«Order»()
`,
    },
  },
  "Go: a type that others embed": {
    args: ["Base", "Core", "--in-file", "db/base.go"],
    files: {
      "go.mod": "module example.com/m\n\ngo 1.21\n",
      "db/base.go": `
package db

type «Base» struct{ Size int }

func (b *«Base») Grow() {}

type Mid struct {
	*«Base»
	Name string
}

type Top struct{ Mid }

type Apart struct{ Base int }

func use(m Mid, t Top, a Apart) int {
	m.«Base».Grow()
	t.«Base».Size = 1
	t.Mid.«Base».Grow()
	m.Grow()
	x := Mid{«Base»: &«Base»{Size: 2}}
	y := Apart{Base: 1}
	all := []Mid{{Base: nil}} // left
	return x.Size + y.Base + a.Base + len(all)
}
`,
      "db/example_test.go": `
package db_test

import "example.com/m/db"

func ExampleBase_Grow() { // left
	var b db.«Base»
	b.Grow()
}
`,
      "main.go": `
package main

import "example.com/m/db"

type Own struct{ db.«Base» }

func main() {
	o := Own{«Base»: db.«Base»{}}
	o.«Base».Grow()
}
`,
    },
  },
  "Go: a method that is reached over the embedded type": {
    args: ["Base.Grow", "Extend"],
    files: {
      "go.mod": "module example.com/m\n",
      "a.go": `
package m

type Base struct{ Size int }

func (b *Base) «Grow»() {}

type Mid struct{ *Base }
type Top struct{ Mid }

func use(t Top) {
	t.«Grow»()
	t.Base.«Grow»()
	t.Mid.Base.«Grow»()
}
`,
    },
  },
};

for (const [what, { files, args }] of Object.entries(cases))
  test(`rename in ${what}`, async () => {
    const at = (name: string): { [path: string]: string } =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, text.replaceAll(/«\w+»/g, name)]),
      );
    const [old, newName] = args;
    using folder = createTemporaryFolder({ ".git/HEAD": "", ...at(old.replace(/^.*\./, "")) });
    const { data, error } = await rename(folder.path, [...args, "--apply"]);
    assert.equal(error, undefined, String(error?.message));
    const after = at(newName);
    for (const path of Object.keys(files))
      assert.equal(readFileSync(join(folder.path, path), "utf8"), after[path], path);
    const left = Object.entries(files).flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, index) => (line.includes(" left") ? [`${path}:${index + 1}`] : [])),
    );
    assert.deepEqual(
      data.unresolved.map(({ file, line }) => `${file}:${line}`),
      left,
    );
  });

test("rename refuses a name that another file of the package or of the barrel has", async () => {
  using folder = createTemporaryFolder({
    ".git/HEAD": "",
    "go.mod": "module example.com/m\n",
    "p/a.go":
      "package p\n\nfunc Fill() {}\n\ntype Jar struct{}\n\ntype Lid struct{ Jar; Size int }\n",
    "p/b.go": 'package p\n\nimport "example.com/m/other"\n\nvar Pour = other.X\n',
    "other/o.go": "package other\n\nvar X = 1\n\nfunc Pour() {}\n",
    "src/a.ts": "export function bake() {}\nexport function cook() {}\n",
    "src/b.ts": "export const fry = 1;\nconst roast = 2;\n",
    "src/barrel.ts":
      'export * from "./a.ts";\nexport * from "./b.ts";\nexport { fry as grill } from "./b.ts";\n',
    "src/both.ts": 'export { cook } from "./a.ts";\nexport const boil = 1;\n',
    "src/type.ts": "export interface Dish {}\n",
    "src/value.ts": "export const Dish = 1;\n",
    "src/merged.ts": 'export type { Dish } from "./type.ts";\nexport { Dish } from "./value.ts";\n',
    "lib/core.py": "def peel(): pass\n",
    "lib/star.py": "from .core import *\n\ndef slice(): pass\n",
  });
  for (const [args, message] of [
    [["Fill", "Pour"], /"p\/b.go" has this name already, on line 5/],
    [["Fill", "other"], /"p\/b.go" imports a package of this name, on line 3/],
    [["Jar", "Size"], /"Lid" embeds the type and has this member already, at p\/a.go:7/],
    [["Lid.Jar", "Cup"], /it is an embedded type: rename the type/],
    [
      ["bake", "fry"],
      /"src\/b.ts" exports this name already, which "src\/barrel.ts" exports too, on line 1/,
    ],
    [["bake", "grill"], /"src\/barrel.ts" exports this name already, on line 3/],
    [["cook", "boil"], /"src\/both.ts" exports this name already, on line 2/],
    [
      ["Dish", "Meal", "--in-file", "src/type.ts"],
      /"src\/merged.ts" exports two things of this name, the other from src\/merged.ts:2/,
    ],
    [["peel", "slice"], /"lib\/star.py" has this name already, on line 3/],
  ] as const) {
    const { error } = await rename(folder.path, [...args, "--apply"]);
    assert.equal(error?.code, "invalid_argument", args.join(" "));
    assert.match(error.message, message);
  }
  const { error } = await rename(folder.path, ["bake", "roast", "--apply"]);
  assert.equal(error, undefined);
});
