import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, oneof, property, string } from "fast-check";
import { repetitions } from "testkit";
import { nodeKinds } from "../node-kinds/index.ts";
import { formatProblem, parseTopology, renderTopology } from "./index.ts";

const fragments = constantFrom(
  "supervision:\n",
  "  name: root\n",
  "  children:\n",
  "    - agent: { name: a, type: a.B }\n",
  "    - { name: w, type: http_gateway, config: {} }\n",
  "    - supervisor:\n",
  "        name: s\n",
  "        children: []\n",
  "transport: nats\n",
  "  strategy: x\n",
  "&a ",
  "*a ",
  "- ",
  ": ",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\n",
  "  ",
  "\t",
  "null",
  "!!x ",
);

test("parseTopology() of any text gives a model or problems within the text, and never throws", () => {
  const texts = array(oneof({ weight: 9, arbitrary: fragments }, string())).map((parts) =>
    parts.join(""),
  );
  assertProperty(
    property(texts, (text) => {
      const { topology, problems } = parseTopology(text, { fileName: "t", kinds: nodeKinds });
      assert.equal(topology === undefined, problems.length > 0);
      const lineCount = text.split(/\r\n|\n/).length;
      for (const problem of problems) {
        assert.ok(problem.line1 >= 1 && problem.line1 <= lineCount, formatProblem(problem));
        assert.ok(problem.column1 >= 1);
        assert.ok(!problem.message.includes("\n"));
      }
      if (topology !== undefined)
        assert.ok(renderTopology(topology, { kinds: nodeKinds }).endsWith("\n"));
    }),
    { numRuns: repetitions(500) },
  );
});
