import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder, type ProgramExit, runProgram } from "testkit";

const root = fileURLToPath(new URL("..", import.meta.url));
const published = ["agentrt", "codetool"];

async function succeed(
  command: string,
  args: readonly string[],
  workingDirectory = root,
): Promise<ProgramExit> {
  const exit = await runProgram(command, args, { workingDirectory, timeoutMs: 120_000 });
  assert.equal(exit.code, 0, `${command} ${args.join(" ")}\n${exit.stdout}${exit.stderr}`);
  return exit;
}

test("packed packages hold JavaScript and declarations, and run outside of the repository", async () => {
  await succeed(process.execPath, ["scripts/build-packages.ts"]);
  using temporary = createTemporaryFolder({
    "package.json": '{"type":"module"}',
    "main.mjs":
      'import * as agentrt from "agentrt";\nimport * as codetool from "codetool";\nconsole.log(typeof agentrt.Agent, typeof codetool.runCommand);\n',
    "a.py": "class A:\n    def m(self): pass\n",
  });
  const modules = join(temporary.path, "node_modules");
  for (const name of published) {
    // The scripts of `npm pack` build too; here that is done, and set-up must not run under other tests.
    const args = ["pack", "--ignore-scripts", "-w", name, "--pack-destination", temporary.path];
    await succeed("npm", args);
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    const archive = readdirSync(temporary.path).find((file) => file.startsWith(`${name}-`)) ?? "";
    await succeed("tar", [
      "-xzf",
      join(temporary.path, archive),
      "--strip-components=1",
      "-C",
      target,
    ]);
    linkDependencies(name, modules);
    const files = readdirSync(target, { recursive: true }).map(String);
    assert.ok(files.includes("dist/index.js") && files.includes("dist/index.d.ts"), name);
    assert.deepEqual(
      files.filter((file) => /\.test\.|fixtures|(?<!\.d)\.ts$/.test(file)),
      [],
    );
  }
  const imported = await succeed(process.execPath, ["main.mjs"], temporary.path);
  assert.equal(imported.stdout, "function function\n");
  for (const name of published) {
    const args = [join(modules, name, "bin", `${name}.cjs`), "--version"];
    const version = await succeed(process.execPath, args, temporary.path);
    assert.match(version.stdout, /0\.1\.0/);
  }
  const codetool = join(modules, "codetool", "bin", "codetool.cjs");
  for (const args of [
    ["outline", "a.py"],
    ["search", "m", "--literal", "--budget", "400"],
    ["read", "a.py", "--budget", "400"],
  ]) {
    const { stdout } = await succeed(process.execPath, [codetool, ...args], temporary.path);
    assert.equal((JSON.parse(stdout) as { status: string }).status, "ok");
  }
});

/** What an installation would fetch is linked from the repository's own. */
function linkDependencies(name: string, modules: string): void {
  const manifest = JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")) as {
    readonly dependencies: { readonly [name: string]: string };
  };
  for (const dependency of Object.keys(manifest.dependencies)) {
    const link = join(modules, dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", dependency), link);
  }
}
