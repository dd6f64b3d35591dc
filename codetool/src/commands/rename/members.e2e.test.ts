/** `codetool rename Class.member`: only where the type before the dot is written down. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { rename } from "./test-support/rename.ts";

/** Files with `«old»` where a place is to be renamed, and a comment `left` on lines that are listed. */
interface Case {
  readonly files: { readonly [path: string]: string };
  readonly args: readonly [string, string, ...string[]];
  /** The types whose definitions are renamed. */
  readonly members: readonly string[];
}

const cases: { readonly [what: string]: Case } = {
  "TypeScript: this, annotations, constructor calls, typed fields, declared results; the other class stays":
    {
      args: ["Store.load", "fetch"],
      members: ["Store", "DiskStore"],
      files: {
        "src/store.ts": `
export class Store {
  next: Store | undefined;
  #items: Store[] = [];
  static load = 1;
  async «load»(key: string): Promise<Store> {
    for (const item of this.#items) await item.«load»(key);
    return (await this.next!.«load»(key)).clone().«load»(key);
  }
  clone(): this { return this; }
  both = () => this.«load»("a");
}
export class DiskStore extends Store {
  override async «load»(key: string) { return await super.«load»(key); }
}
export class Queue {
  load(): number { return 1; }
  run() { return this.load(); }
}
export function makeStore(): Store { return new DiskStore(); }
export const shared = makeStore();
`.replace("  static load = 1;\n", ""),
        "src/index.ts": `export { Store as Base, DiskStore } from "./store.ts";\nexport * as stores from "./store.ts";\nexport * from "./store.ts";\n`,
        "src/use.ts": `
import { Base, Queue, shared, makeStore as make, stores, type DiskStore } from "./index.ts";
import * as all from "./store.ts";
interface Loader { load(): void; other(): void }
class Holder {
  readonly #disk: DiskStore;
  constructor(private readonly store: Base, readonly queue = new Queue(), disk: DiskStore) {
    this.#disk = disk;
    this.store.«load»("a");
    this.queue.load();
    this.#disk.«load»("a");
  }
}
export async function f(a: Base, b: Queue, c: any, d?: stores.Store | null, e = new all.DiskStore()) {
  const local = new Base();
  await local.«load»("1");
  a?.«load»("2"); b.load(); d!.«load»("3"); e.«load»("4"); shared.«load»("5");
  c.load("6"); // left
  make().«load»("7");
  (c as Base).«load»("8");
  const { «load»: taken } = a;
  const list: Base[] = [];
  for (const each of list) each.«load»("9");
  list[0]!.«load»("10"); list.map((each) => each.load("11")); // left
  { const a = new Queue(); a.load(); }
  new Map<string, string>().load; "text".load; JSON.load;
  const mock: Partial<Base> = { load: async () => a }; // left
  return (x: Loader) => x.load();
}
`,
        "src/sub.ts": `
import { Base } from "./index.ts";
class Sub extends Base { run() { return this.«load»("a"); } }
class Shadow { load() { return 1; } run(x: Sub) { x.«load»("1"); return this.load(); } }
`,
      },
    },
  "JavaScript: a variable that is given another value is not known": {
    args: ["A.go", "run"],
    members: ["A"],
    files: {
      "a.js": `
export default class A { «go»() { return this; } }
`,
      "b.js": `
import Any from "./a.js";
class B { constructor() { this.a = new Any(); } x() { return this.a.«go»(); } }
let v = new Any();
v.go(); // left
v = 1;
const w = new Any();
w.«go»();
`,
    },
  },
  "Python: self, super, annotations, properties, attributes; strings are listed": {
    args: ["Reader.parse", "read"],
    members: ["Reader", "FileReader", "Both"],
    files: {
      "app/__init__.py": "from .core import Reader as Reader, make\nfrom . import core\n",
      "app/core.py": `
from __future__ import annotations
import typing as t


class Reader:
    child: t.Optional[Reader] = None

    def __init__(self, other: "Reader | None" = None):
        self.other = other
        self.plain = Reader()

    def «parse»(self, text):
        self.other.«parse»(text)
        self.plain.«parse»(text)
        if self.child:
            self.child.«parse»(text)
        return [r.«parse»(text) for r in self.all()]

    def all(self) -> list[Reader]:
        return [self]

    def __enter__(self) -> t.Self:
        return self

    @classmethod
    def build(cls) -> Reader:
        return cls().«parse»("")


class Plain:
    pass


class FileReader(Reader):
    def «parse»(self, text):
        return super().«parse»(text) + getattr(self, "parse")(text)  # left


class Json:
    def parse(self, text):
        return self.parse(text)


class Both(Plain, Reader):
    def «parse»(self, text):
        return super().«parse»(text)


def make() -> Reader:
    return FileReader()


@t.no_type_check
def wrapped() -> Reader:
    return FileReader()
`,
      "app/main.py": `
import json
import app.core
import app
from app import Reader, core, make
from app.core import wrapped, Json


def f(a: Reader, b, c: app.core.FileReader, d: Json = Json()):
    a.«parse»("1")
    b.parse("2")  # left
    c.«parse»("3")
    d.parse("4")
    make().«parse»("5")
    wrapped().parse("6")  # left
    core.Reader().«parse»("7")
    json.parse("8")
    with Reader() as r:
        r.«parse»("9")
    x = Reader()
    x = b
    x.parse("10")  # left
    y = Reader() if b else None
    y.«parse»("11")
    t.cast("Reader", b).«parse»("12")
    parse = 1
    class Local(app.Reader):
        pass

    Local().«parse»("13")
    return Reader.«parse», parse
`,
      "tests/test_main.py": `
import unittest.mock as mock

mock.patch("app.core.Reader.parse")  # left
`,
    },
  },
  "Python: a property with its setter": {
    args: ["Box.size", "length"],
    members: ["Box", "Box"],
    files: {
      "box.py": `
class Box:
    @property
    def «size»(self):
        return self._size

    @«size».setter
    def «size»(self, value):
        self._size = value


Box().«size» = 3
dict(size=1)
`,
    },
  },
  "Go: receivers, results, embedding, interfaces that are fulfilled": {
    args: ["Conn.Open", "Dial"],
    members: ["Conn", "Fake", "Opener"],
    files: {
      "go.mod": "module example.com/m\n\ngo 1.21\n",
      "db/conn.go": `
package db

type Conn struct {
	next *Conn
	all  []*Conn
}

type Opener interface {
	«Open»(n int) error
	Shut()
}

type Wrap struct {
	*Conn
	name string
}

type Door struct{ Open bool }

func New() (*Conn, error) { return &Conn{}, nil }

func (c *Conn) «Open»(n int) error {
	for _, each := range c.all {
		each.«Open»(n)
	}
	return c.next.«Open»(n)
}

func (c *Conn) Shut() {}
`,
      "db/more.go": `
package db

type Fake struct{}

func (Fake) «Open»(n int) error { return nil }
func (Fake) Shut()            {}

type Other struct{}

func (o Other) Open() {}

func use(w Wrap, o Opener, d Door, x Other, any interface{}) bool {
	w.«Open»(1)
	o.«Open»(2)
	x.Open()
	any.(Opener).«Open»(3)
	return d.Open || Door{Open: true}.Open
}
`,
      "main.go": `
package main

import (
	"os"

	store "example.com/m/db"
)

func main() {
	c, err := store.New()
	c.«Open»(1)
	f := (*store.Conn).«Open»
	os.Open("x")
	err.Open()
	var w store.Wrap
	w.«Open»(2)
	func(c store.Other) { c.Open() }(store.Other{})
}
`,
    },
  },
  "Go: a field, and the keys of literals": {
    args: ["Conf.Name", "Title"],
    members: ["Conf"],
    files: {
      "go.mod": "module example.com/m\n",
      "a.go": `
package m

type Conf struct {
	«Name» string
}
type Other struct{ Name string }

var c = Conf{«Name»: "a"}
var o = &Other{Name: c.«Name»}
var p = []Conf{{Name: "b"}} // left
`,
    },
  },
};

for (const [what, { files, args, members }] of Object.entries(cases))
  test(`rename of a member in ${what}`, async () => {
    const at = (name: string): { [path: string]: string } =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, text.replaceAll(/«\w+»/g, name)]),
      );
    const [old, newName] = args;
    const before = at(old.replace(/^.*\./, ""));
    using folder = createTemporaryFolder({ ".git/HEAD": "", ...before });
    const { data, error } = await rename(folder.path, [...args, "--apply"]);
    assert.equal(error, undefined, String(error?.message));
    const after = at(newName);
    for (const path of Object.keys(files))
      assert.equal(readFileSync(join(folder.path, path), "utf8"), after[path], path);
    assert.deepEqual(data.members.map(({ type }) => type).toSorted(), members.toSorted());
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

test("rename of a member refuses what types from outside may have, and a name that is taken", async () => {
  using folder = createTemporaryFolder({
    ".git/HEAD": "",
    "a.ts":
      'import { Base } from "outside";\nexport class A extends Base { go() {} }\nexport class B { go() {} run() {} constructor(readonly x: number) {} }\nclass C extends B { stop() {} }\nclass D extends mixin(B) { go() {} }\n',
    "b.ts": "export class B { go() {} }\n",
    "d.go":
      'package c\n\ntype V struct{}\n\nfunc (*V) String() string { return "" }\nfunc (*V) Set(s string) error { return nil }\n',
    "e.ts": "export class E { go() {} \n",
    "c.go": 'package c\n\ntype T struct{}\n\nfunc (T) String() string { return "" }\n',
  });
  for (const [args, message] of [
    [["A.go", "x"], /"A" extends "Base", which is not in the tree and may have "go"/],
    [["B.go", "run", "--in-file", "a.ts"], /"B" has this member already, at a.ts:3/],
    [["B.go", "stop", "--in-file", "a.ts"], /"C" has this member already, at a.ts:4/],
    [["B.go", "x"], /it is defined 2 times, at a.ts:3, b.ts:1: name one with --in-file/],
    [["B.x", "y", "--in-file", "a.ts"], /it is a parameter of the constructor too/],
    [["D.go", "x"], /what "D" extends is not known/],
    [["C.go", "x"], /"C" does not define it; where it is inherited, name the type that defines it/],
    [["Z.go", "x"], /"Z" is not defined in the project/],
    [["E.go", "x"], /"e.ts" has errors of syntax/],
    [["V.Set", "X"], /"V" has Set, String, as an interface of Go's own packages has/],
    [["T.String", "x"], /the language or its library calls "String" by this name/],
  ] as const) {
    const { error } = await rename(folder.path, [...args, "--apply"]);
    assert.equal(error?.code, "invalid_argument", args.join(" "));
    assert.match(error.message, message);
  }
  const { data } = await rename(folder.path, ["go", "x", "--in-file", "b.ts:1", "--apply"]);
  assert.deepEqual(data.members, [{ file: "b.ts", line: 1, type: "B" }]);
  assert.equal(readFileSync(join(folder.path, "b.ts"), "utf8"), "export class B { x() {} }\n");
});

test("rename of a method of Go that takes other arguments than the one Go's own packages call", async () => {
  const flags = (set: string, text: string): string =>
    `package f\n\ntype Flags struct{}\n\nfunc (*Flags) ${set}(name, value string) error { return nil }\nfunc (*Flags) ${text}(name string, value string, usage string) *string { return nil }\n`;
  using folder = createTemporaryFolder({
    ".git/HEAD": "",
    "flags.go": flags("Set", "String"),
    "value.go":
      'package f\n\ntype Value interface {\n\tSet(string) error\n\tString() string\n}\n\ntype text string\n\nfunc (*text) Set(value string) error { return nil }\nfunc (*text) String() string { return "" }\n',
    "use.go":
      'package f\n\nfunc use(flags *Flags, value Value) {\n\tflags.Set("a", "b")\n\tflags.String("a", "b", "c")\n\tvalue.Set("a")\n}\n',
  });
  const set = await rename(folder.path, ["Flags.Set", "Assign", "--apply"]);
  assert.deepEqual(set.data.members, [{ file: "flags.go", line: 5, type: "Flags" }]);
  const text = await rename(folder.path, ["Flags.String", "Text", "--apply"]);
  assert.deepEqual(text.data.members, [{ file: "flags.go", line: 6, type: "Flags" }]);
  assert.equal(readFileSync(join(folder.path, "flags.go"), "utf8"), flags("Assign", "Text"));
  assert.equal(
    readFileSync(join(folder.path, "use.go"), "utf8"),
    'package f\n\nfunc use(flags *Flags, value Value) {\n\tflags.Assign("a", "b")\n\tflags.Text("a", "b", "c")\n\tvalue.Set("a")\n}\n',
  );
  for (const member of ["Value.Set", "text.Set"]) {
    const { error } = await rename(folder.path, [member, "Assign", "--apply"]);
    assert.match(error?.message ?? "", /has Set, String, as an interface of Go's own packages has/);
  }
});
