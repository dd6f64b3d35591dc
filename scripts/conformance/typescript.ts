import assert from "node:assert/strict";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "testkit";
import { runChecks } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { cacheFolder } from "./tools.ts";
import { compileTypedPrograms } from "./typed-programs.ts";

/** The compilers that users have: the last of each major version. */
const versions = ["5.9.3", "6.0.3", "7.0.2"];
const repository = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(cacheFolder, "types");

/** The TypeScript compilers of users, which read the declarations of the packed package. */
export const typesJudge: Judge = {
  name: "types",
  subject: "the declarations of the packed package, by three TypeScript compilers",
  async prepare() {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `{ "private": true, "type": "module" }`);
    const packed = await npm("pack", "-w", "agentrt", "--pack-destination", folder);
    if (packed !== undefined) return { missing: `npm pack failed: ${packed}` };
    const [tarball = ""] = globSync("agentrt-*.tgz", { cwd: folder });
    const compilers = versions.map((version) => `typescript-${version}@npm:typescript@${version}`);
    const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
    const installed = await npm("install", ...options, join(folder, tarball), ...compilers);
    return installed === undefined
      ? { version: versions.join(", ") }
      : { missing: `npm install failed: ${installed}` };
  },
  run: async () =>
    await runChecks(
      versions.map((version) => ({
        section: "typed programs",
        name: `TypeScript ${version}`,
        run: async () => {
          const compiler = join(folder, "node_modules", `typescript-${version}`, "bin", "tsc");
          const findings = await compileTypedPrograms(folder, compiler);
          assert.deepEqual(findings, { unexpected: [], missed: [] });
        },
      })),
    ),
};

/** @returns Undefined when it went well, else its last line. */
async function npm(...args: readonly string[]): Promise<string | undefined> {
  const { code, stderr } = await runProgram("npm", args, {
    workingDirectory: repository,
    timeoutMs: 300_000,
  });
  return code === 0 ? undefined : stderr.trim().split("\n").at(-1);
}
