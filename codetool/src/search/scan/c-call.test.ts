import assert from "node:assert/strict";
import { test } from "node:test";
import { isCallInC } from "./c-call.ts";

/** Judges the last occurrence of `node` in a text. */
function isCall(source: string): boolean {
  const text = Buffer.from(source);
  const start = text.lastIndexOf("node");
  return isCallInC(text, { start, end: start + "node".length });
}

test("isCallInC() knows calls by what is before and behind them, over lines and comments", () => {
  const calls = [
    "{\n  node(a,\n    b);\n",
    "{\n  f(); /* then */\n  node(a,\n    b);\n",
    "{\n  f(); // then\n  node (a,\n    b);\n",
    "{\n  if (a && (b || c))\n    node(a,\n      b);\n",
    "{\n  if (a) f();\n  else\n    node(a,\n      b);\n",
    '{\n#ifdef A\n  node(a,\n    \')\', ")\\"");\n#endif\n',
    "  case A:\n    node(a,\n      b);\n",
    "  f(a,\n    node(b,\n      c));\n",
    "  int a =\n    node(b,\n      c);\n",
  ];
  for (const source of calls) assert.equal(isCall(source), true, source);
});

test("isCallInC() takes nothing for a call that may be a definition or a prototype", () => {
  const others = [
    "node(int a,\n  int b)\n{\n",
    "static int\n  node(int a,\n    int b)\n{\n",
    "int\n  node(int a,\n    int b);\n",
    "int *\n  node(int a,\n    int b);\n",
    "int /* a count */\n  node(a,\n    b);\n",
    "int // a count\n  node(a,\n    b);\n",
    "API_EXPORT(int)\n  node(int a,\n    int b);\n",
    "}\n\n  node(a,\n    b)\n  int a, b;\n{\n",
    "{\n  node(a,\n    b\n",
    "{\n  node = a;\n",
  ];
  for (const source of others) assert.equal(isCall(source), false, source);
});
