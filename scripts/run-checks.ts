/** `npm run check`: format, lint, types, layers, docs, generated files, dead code, unit tests, in that order. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const binaries = join(root, "node_modules", ".bin");

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const checks: readonly Check[] = [
  { name: "format", command: join(binaries, "oxfmt"), args: ["--check", "."] },
  { name: "lint", command: join(binaries, "oxlint"), args: ["--type-aware", "--quiet"] },
  { name: "types", command: join(binaries, "tsc"), args: ["-p", "."] },
  {
    name: "types of the console",
    command: join(binaries, "tsc"),
    args: ["-p", "agentrt/console"],
  },
  { name: "layers", command: process.execPath, args: ["scripts/check-layers.ts"] },
  { name: "docs", command: process.execPath, args: ["scripts/check-docs.ts"] },
  { name: "generated files", command: process.execPath, args: ["scripts/generate.ts", "--check"] },
  { name: "dead code", command: join(binaries, "knip"), args: ["--no-progress"] },
  { name: "unit tests", command: process.execPath, args: ["scripts/run-tests.ts", "--unit"] },
];

function main(): number {
  const env = { ...process.env, PATH: `${binaries}:${process.env["PATH"] ?? ""}` };
  let failedCount = 0;
  for (const check of checks) {
    const startedMs = performance.now();
    const result = spawnSync(check.command, check.args, {
      cwd: root,
      encoding: "utf8",
      env,
      maxBuffer: 64 << 20,
    });
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const isGreen = result.status === 0;
    process.stdout.write(`${isGreen ? "ok    " : "FAILED"} ${check.name} (${seconds} s)\n`);
    if (!isGreen) {
      failedCount += 1;
      process.stdout.write(
        `${result.error === undefined ? "" : `${result.error.message}\n`}${result.stdout ?? ""}${result.stderr ?? ""}\n`,
      );
    }
  }
  process.stdout.write(
    failedCount === 0 ? "check: all green\n" : `check: ${failedCount} of ${checks.length} failed\n`,
  );
  return failedCount === 0 ? 0 : 1;
}

process.exit(main());
