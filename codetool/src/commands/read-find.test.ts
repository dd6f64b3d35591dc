import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder, repetitions } from "testkit";
import type { Outcome } from "../envelope/index.ts";
import { countTokens } from "../text/token-counter.ts";
import { executeCommand } from "./execute-command.ts";
import { findCommand } from "./table.ts";

async function run(
  name: "read" | "find",
  raw: { readonly [name: string]: unknown },
  workingDirectory: string,
): Promise<Outcome> {
  const definition = findCommand(name);
  assert.ok(definition !== undefined);
  return await executeCommand(definition, raw, { workingDirectory, environment: {} });
}

interface ReadData {
  readonly content: {
    readonly text: string;
    readonly range: { readonly start: number; readonly end: number };
  };
  readonly outline: readonly { readonly name: string }[];
  readonly truncated?: boolean;
}

async function readData(
  raw: { readonly [name: string]: unknown },
  folder: string,
): Promise<ReadData> {
  const outcome = await run("read", raw, folder);
  assert.ok("data" in outcome);
  return outcome.data as unknown as ReadData;
}

const line = fc.oneof(
  fc.constantFrom(
    "",
    "  return 1;",
    "function a() {}",
    "class B { m() {} }",
    '// é 😀 "quoted" \\',
    "\r",
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[\n\0]/g, "")),
);

test("read keeps a budget with whole lines from the first, and outline entries in what is left", async () => {
  const lines = fc.array(line, { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.boolean(),
      fc.integer({ min: 60, max: 700 }),
      async (texts, isEnded, budget) => {
        const text = texts.join("\n") + (isEnded ? "\n" : "");
        fc.pre(text !== "" && !text.startsWith("\uFEFF"));
        using folder = createTemporaryFolder({ "a.ts": text });
        const whole = await readData({ file: "a.ts" }, folder.path);
        const outcome = await run("read", { file: "a.ts", budget }, folder.path);
        if ("error" in outcome) {
          assert.equal(outcome.error.code, "budget_exceeded");
          assert.ok(countTokens(JSON.stringify(whole)) > budget);
          return;
        }
        assert.ok(countTokens(JSON.stringify(outcome.data)) <= budget);
        const { content, outline, truncated } = outcome.data as unknown as ReadData;
        const parts = text.split(/(?<=\n)/);
        assert.equal(content.text, parts.slice(0, content.range.end).join(""));
        assert.equal(content.range.start, 1);
        const isWhole = content.text === text && outline.length === whole.outline.length;
        assert.equal(truncated, isWhole ? undefined : true);
        const all = whole.outline.map((entry) => JSON.stringify(entry));
        for (const entry of outline) assert.ok(all.includes(JSON.stringify(entry)));
      },
    ),
    { seed: 11, numRuns: repetitions(120) },
  );
});

test("read --lines gives the lines that a split gives", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.nat(11),
      fc.nat(11),
      async (texts, left, right) => {
        const text = `${texts.join("\n")}\n`;
        fc.pre(!text.startsWith("\uFEFF"));
        const count = texts.length;
        const [start, end] = [Math.min(left, right) % count, Math.max(left, right) % count].sort(
          (a, b) => a - b,
        ) as [number, number];
        using folder = createTemporaryFolder({ "a.txt": text });
        const { content } = await readData(
          { file: "a.txt", lines: `${start + 1}-${end + 1}` },
          folder.path,
        );
        const wanted = texts
          .slice(start, end + 1)
          .join("\n")
          .replace(/\r$/, "");
        assert.equal(content.text, wanted);
      },
    ),
    { seed: 12, numRuns: repetitions(120) },
  );
});

test("find keeps a budget greedily: each file is there exactly when it fits with those before it", async () => {
  const name = fc.stringMatching(/^[a-z]{1,12}$/);
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .map((parts) => `${parts.join("/")}.ts`);
  const views = fc.constantFrom<object>({}, { tree: true }, { flat: true });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 12 }),
      views,
      fc.integer({ min: 60, max: 500 }),
      async (paths, view, budget) => {
        using folder = createTemporaryFolder(
          Object.fromEntries(paths.map((each) => [each, "x\n"])),
        );
        const full = await run("find", { flat: true }, folder.path);
        const outcome = await run("find", { ...view, budget }, folder.path);
        assert.ok("data" in outcome && "data" in full);
        const data = outcome.data as unknown as {
          readonly flat: readonly { path: string }[] | null;
          readonly stats: {
            readonly returned: number;
            readonly total_files: number;
            readonly budget_used: number;
          };
        };
        const used = countTokens(JSON.stringify(data));
        assert.equal(data.stats.budget_used, used);
        assert.ok(used <= budget || data.stats.returned === 0);
        assert.equal(data.stats.total_files, paths.length);
        assert.equal("truncated" in data, data.stats.returned < paths.length);
        if (data.flat !== null) {
          const order = (full.data as unknown as { flat: { path: string }[] }).flat.map(
            (file) => file.path,
          );
          const kept = data.flat.map((file) => file.path);
          assert.deepEqual(
            kept,
            order.filter((each) => kept.includes(each)),
          );
        }
      },
    ),
    { seed: 13, numRuns: repetitions(120) },
  );
});
