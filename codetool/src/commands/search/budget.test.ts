import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createTemporaryFolder, repetitions } from "testkit";
import { outlineCommand } from "../outline/command.ts";
import { envelopeLine, executeCommand } from "../execute-command.ts";
import { searchCommand } from "./command.ts";
import type { CommandDefinition } from "../command.ts";

const line = fc.oneof(
  fc.constantFrom(
    "export function needle(haystack) {",
    "class Needle { needle() { return 1; } }",
    "// needle 😀 文件 <|endoftext|>",
    "\tneedle(needle, 'é');",
    "",
  ),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => `needle ${text}`),
  fc.lorem({ maxCount: 30 }),
);
const file = fc.record({
  name: fc.constantFrom("a.ts", "b/deep/er.ts", "ü文.ts", "c.txt", "tests/d.test.ts"),
  text: fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
});
const question = fc.record({
  query: fc.constantFrom("needle", "Needle", "needle|class", "where is the needle kept"),
  budget: fc.integer({ min: 60, max: 900 }),
  top_k: fc.integer({ min: 1, max: 8 }),
  context: fc.constantFrom("none", "function", "block"),
});

/** Runs a command and counts its printed envelope with a tokenizer that is not ours. */
async function answer(
  definition: CommandDefinition,
  input: { readonly [name: string]: unknown },
  workingDirectory: string,
): Promise<{ readonly [key: string]: unknown }> {
  const outcome = await executeCommand(definition, input, { workingDirectory, environment: {} });
  const printed = await envelopeLine({ command: "search", outcome, hasBudget: true });
  const { tokens, data } = JSON.parse(printed) as {
    readonly tokens: number;
    readonly data: { readonly [key: string]: unknown };
  };
  assert.equal(tokens, countTokens(printed, { disallowedSpecial: new Set() }));
  return data;
}

test("search and outline keep their budgets on random files, page by page, as others count", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 5 }),
      question,
      async (files, { budget, ...rest }) => {
        using folder = createTemporaryFolder(
          Object.fromEntries(files.map(({ name, text }) => [name, text])),
        );
        const check = (data: { readonly [key: string]: unknown }): void => {
          const counted = countTokens(JSON.stringify(data), { disallowedSpecial: new Set() });
          if (data["returned"] !== 0) assert.ok(counted <= budget, `${counted} of ${budget}`);
          assert.equal(data["budget_used"] ?? counted, counted);
        };
        check(await answer(outlineCommand, { path: ".", budget }, folder.path));
        const seen = new Set<string>();
        let token: unknown;
        for (let page = 0; page < 40 && token !== null; page += 1) {
          const input = { ...rest, budget, ...(token === undefined ? {} : { continue: token }) };
          const data = await answer(searchCommand, input, folder.path);
          check(data);
          const matches = data["matches"] as readonly { file: string; line: number }[];
          assert.ok(matches.length <= rest.top_k);
          for (const match of matches) {
            const place = `${match.file}:${match.line}:${JSON.stringify(match)}`;
            assert.ok(!seen.has(place), place);
            seen.add(place);
          }
          token = data["continuation_token"];
        }
      },
    ),
    { seed: 11, numRuns: repetitions(60) },
  );
});
