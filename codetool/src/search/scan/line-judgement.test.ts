import assert from "node:assert/strict";
import { test } from "node:test";
import { isCallInC } from "./c-call.ts";
import { judgeLine, LineJudge } from "./line-judgement.ts";

/** Judges a line by its first occurrence of a name. */
function judge(line: string, name: string) {
  const text = Buffer.from(line);
  const matchStart = text.indexOf(name);
  const hit = { line1: 1, lineStart: 0, matchStart, matchEnd: matchStart + name.length };
  return judgeLine(text, hit, name);
}

test("judgeLine() tells definitions from uses by the line alone", () => {
  const rows: readonly (readonly [string, "yes" | "likely" | "maybe" | "no"])[] = [
    ["export class Node extends Base {", "yes"],
    ["export type Node = {", "yes"],
    ["type Node struct {", "yes"],
    ["struct Node {", "yes"],
    ["struct Node final : Base {", "yes"],
    ["enum class Node : int {", "yes"],
    ["class Node:", "yes"],
    ["class Node(Base):", "yes"],
    ["#define Node 1", "yes"],
    ["const Node = 1;", "yes"],
    ["let Node, other;", "yes"],
    ["pub struct Node;", "likely"],
    ["const Node int = 5", "likely"],
    ["typedef struct node Node;", "likely"],
    ["Node = namedtuple('Node', 'a')", "likely"],
    ["} Node;", "yes"],
    ["PyObject Node = {", "likely"],
    ["  PyObject Node = {", "no"],
    ["return Node == 1", "no"],
    ["  static public Node(int a) {", "likely"],
    ["Node(PyObject *a, int b)", "likely"],
    ["  Node(a, b) {", "likely"],
    ["  Node(a,", "maybe"],
    ["  Node(a, b);", "no"],
    ["  return Node(a, b)", "no"],
    ["struct Node *next;", "no"],
    ["struct Node next;", "no"],
    ["int f(struct Node *next, int a) {", "no"],
    ["struct Node make(int a) {", "no"],
    ["void f(const Node& node) {", "no"],
    ["import { errors, type Node } from './a.ts';", "no"],
    ["  type Node,", "no"],
    ["  type Node as Other,", "no"],
    ["// the class Node is", "no"],
    ["  x->y = Node(a->b, c);", "no"],
    ["  Node(a->b, c);", "no"],
  ];
  for (const [line, definition] of rows)
    assert.equal(judge(line, "Node").definition, definition, line);
});

test("judgeLine() knows declarations without a body", () => {
  assert.equal(judge("PyAPI_FUNC(void) node(int a);", "node").isDeclaration, true);
  assert.equal(judge("extern struct x *node(const void *a, int b);", "node").isDeclaration, true);
  assert.equal(judge("impl<T> Node for Other<T> {", "Node").isDeclaration, true);
  for (const line of ["  node(a);", "  return node(a);", "  int b = node(a);", "  if (a) node(a);"])
    assert.equal(judge(line, "node").isDeclaration, false, line);
});

test("judgeLine() knows the lines that take names in or pass them on", () => {
  for (const line of [
    "import { Node } from './a.ts';",
    "export { type Node } from './a.ts';",
    "  Node,",
    "  type Node,",
    "  Node as Other,",
    "from a import Node",
    "pub use a::Node;",
    "#include <Node>",
  ])
    assert.equal(judge(line, "Node").isImport, true, line);
  for (const line of ["  Node();", "  Node: 1,", "class Node", "x = Node"])
    assert.equal(judge(line, "Node").isImport, false, line);
});

test("LineJudge says of every line what judgeLine() says", () => {
  const before = [
    "",
    " ",
    "\t",
    "    ",
    "return ",
    "  x.",
    "} ",
    "  static ",
    " ".repeat(310),
    "\u00a0 ",
    "  x = ",
    "\tt_1 = ",
    "  a->b[0].c = ",
    "  item = ",
    "  use = ",
    "  use.x = ",
    "  users = ",
    "  import = ",
    "  from = ",
    "  export = ",
    "  _ = ",
    "x = ",
    "  x == ",
    "  x  = ",
    "  x= ",
    "  = ",
    "  *x = ",
    "  int x = ",
    "  x<y> = ",
    "  1 = ",
    "  \u00e9 = ",
    `  ${"x".repeat(190)} = `,
    `  ${"x".repeat(310)} = `,
    "  a.a = a.",
  ];
  const after = [
    "();",
    "(a, b);",
    "(a, b); ",
    "(a) {",
    "(a) -> b;",
    "(a)->b();",
    "(x => y);",
    "(a) const;",
    "() throws E;",
    "(constant, thread);",
    "(control, second, throughput);",
    "_more(a);",
    "_more, b",
    "_",
    "as x,",
    " (a, b);",
    "\t(a,",
    "",
    "\n(a);",
    "(crate) use x;",
    " (a);",
    "(a,",
    "(a)",
    ";",
    " = 1;",
    "s(a);",
    `(${"a, ".repeat(120)}b);`,
    `(${"a; ".repeat(120)}b`,
  ];
  const names = ["parse", "Node", "$x", "pub", "import", "use", "const", "typedef", "a b", "f("];
  const calledNames = new Set(["parse", "Node", "$x", "const", "typedef"]);
  let callCount = 0;
  for (const name of names) {
    const own = new LineJudge(name);
    for (const left of before)
      for (const right of after)
        for (const ending of ["", "\n", "\r\n"]) {
          const text = Buffer.from(`first\n${left}${name}${right}${ending}`);
          const lineStart = 6;
          const matchStart = text.indexOf(name, lineStart + Buffer.byteLength(left));
          const matchEnd = matchStart + name.length;
          const hit = { line1: 2, lineStart, matchStart, matchEnd };
          const judged = own.judge(text, hit, false);
          const expected = judgeLine(text, hit, name);
          const shown = JSON.stringify(text.toString());
          assert.deepEqual(judged, expected, shown);
          if (judged === own.judge(text, hit, false)) callCount += 1;
          // In C the lines around it may tell as well that it is a call, and nothing else.
          const inC = own.judge(text, hit, true);
          const isAsked = calledNames.has(name) && /likely|maybe/.test(expected.definition);
          const isCall = isAsked && isCallInC(text, { start: matchStart, end: matchEnd });
          const definition = isCall ? "no" : expected.definition;
          assert.deepEqual(inC, { ...expected, definition }, shown);
        }
  }
  // The quick way is taken: it gives the same object each time.
  assert.ok(callCount > 500, String(callCount));
});
