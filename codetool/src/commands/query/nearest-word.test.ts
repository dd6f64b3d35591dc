/** The nearest word of a query that occurs nowhere, with an index and without one. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { indexCommand } from "../index-folder/index.ts";
import { searchCommand } from "../search/index.ts";

const files = {
  "src/config.ts": "export function parseConfig() {}\nconst PORT_NUMBER = 1;\n",
  "src/other.ts": "export const parsedConfigs = [];\nexport const größe = 2;\n",
  "lib/server.ts": "export class HttpServer {}\n",
};

async function run(
  command: typeof searchCommand,
  folder: string,
  input: { readonly [name: string]: string | boolean },
): Promise<readonly string[]> {
  const context = { workingDirectory: folder, environment: {}, isFallbackOff: true };
  const outcome = await executeCommand(command, input, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return outcome.warnings ?? [];
}

async function nearestTo(folder: string, query: string, path = "."): Promise<string | undefined> {
  const warnings = await run(searchCommand, folder, { query, path });
  return warnings.flatMap((each) => /nearest word in the files is "(.*)"/.exec(each)?.[1] ?? [])[0];
}

const cases: readonly { readonly query: string; readonly nearest?: string }[] = [
  { query: "parseConfgi", nearest: "parseConfig" },
  { query: "PARSECONFIG", nearest: "parseConfig" },
  { query: "parsedConfgs", nearest: "parsedConfigs" },
  { query: "PORT_NUMBR", nearest: "PORT_NUMBER" },
  { query: "httpServr", nearest: "HttpServer" },
  { query: "größen", nearest: "größe" },
  { query: "entirelyElsewhere" },
];

for (const hasIndex of [true, false])
  test(`the nearest word is named ${hasIndex ? "with" : "without"} an index`, async () => {
    using folder = createTemporaryFolder(files);
    if (hasIndex) await run(indexCommand, folder.path, {});
    for (const { query, nearest } of cases)
      assert.equal(await nearestTo(folder.path, query), nearest, query);
    assert.equal(await nearestTo(folder.path, "parseConfgi", "lib"), undefined);
  });

test("the words of files that are gone are not named, and those of changed files are", async () => {
  using folder = createTemporaryFolder(files);
  await run(indexCommand, folder.path, {});
  rmSync(join(folder.path, "src/config.ts"));
  folder.write({ "lib/server.ts": "export class ParseConfigServer {}\nclass parseConfib {}\n" });
  for (const isIndexedAgain of [false, true]) {
    if (isIndexedAgain) await run(indexCommand, folder.path, {});
    assert.equal(await nearestTo(folder.path, "parseConfgi"), "parseConfib");
    assert.equal(await nearestTo(folder.path, "PORT_NUMBR"), undefined);
  }
});
