/**
 * Counts exported declarations that have a doc block directly above them, per package, and refuses less than 95 %.
 * Folders' `index.ts` must open with the folder's essay. `--list` prints every export without a block.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const floorPercent = 95;
const exportPattern =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let) +([\w$]+)/;

let isGreen = true;
for (const root of ["agentrt/src", "codetool/src", "testkit/src"]) {
  let exportCount = 0;
  const missing: string[] = [];
  for (const path of globSync("**/*.ts", { cwd: join(repository, root) }).sort()) {
    const file = path.replaceAll("\\", "/");
    if (file.endsWith(".test.ts") || file.includes("fixtures/")) continue;
    const lines = readFileSync(join(repository, root, file), "utf8").split("\n");
    if (file.endsWith("/index.ts") && !lines[0]?.startsWith("/**")) {
      process.stdout.write(
        `${root}/${file}:1: a folder's index.ts opens with what the folder is and must not know\n`,
      );
      isGreen = false;
    }
    lines.forEach((line, index) => {
      const match = exportPattern.exec(line);
      if (match === null) return;
      exportCount += 1;
      let above = index - 1;
      while (above >= 0 && lines[above]?.startsWith("// ") === true) above -= 1;
      if (lines[above]?.trimEnd().endsWith("*/") !== true)
        missing.push(`${root}/${file}:${index + 1}: ${match[1]}`);
    });
  }
  const percent = exportCount === 0 ? 100 : ((exportCount - missing.length) * 100) / exportCount;
  process.stdout.write(
    `docs: ${root}: ${exportCount} exports, ${percent.toFixed(1)} % documented\n`,
  );
  if (percent < floorPercent) isGreen = false;
  if (percent < floorPercent || process.argv.includes("--list"))
    for (const entry of missing) process.stdout.write(`  ${entry}\n`);
}
process.exitCode = isGreen ? 0 : 1;
