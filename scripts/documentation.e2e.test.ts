/**
 * Runs what the documentation shows, in projects outside of this repository that have the packed packages installed.
 *
 * In each page, a `ts`, `yaml` or `json` block whose first line is a comment with a file name is that file of a new
 * project; a `sh` block is run in it line by line. A line `npx agentrt run …`, with variables in front of it or without,
 * stays up until the page's end, where SIGTERM must end it with exit 0; a line `nats-server …` stays up longer. A line `node …` finds agentrt, too. The page of an
 * example runs in a copy of its folder. `npm start`, `npm test` and their like are not run here: `.ci/run` runs them,
 * which is checked.
 */
import { chmodSync, cpSync, existsSync, globSync, readFileSync, symlinkSync } from "node:fs";
import assert from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder, type Program, runProgram, skipUnless, startProgram } from "testkit";
import { installedPackages } from "./installed-packages.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const guides = globSync("{agentrt,codetool}/docs/guides/*.md", { cwd: repository });
const examples = globSync("examples/*/README.md", { cwd: repository });
const pages = ["README.md", "agentrt/README.md", "codetool/README.md", ...guides, ...examples];

interface Block {
  readonly language: string;
  readonly text: string;
  readonly line1: number;
}

function readBlocks(page: string): Block[] {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    text: match[2] ?? "",
    line1: text.slice(0, match.index).split("\n").length + 1,
  }));
}

const bin = createTemporaryFolder({ npx: '#!/bin/sh\nexec "$@"\n' });
chmodSync(join(bin.path, "npx"), 0o755);
let installed: Awaited<ReturnType<typeof installedPackages>>;
before(async () => {
  installed = await installedPackages();
  // What the guides tell readers to install, too; linked, because npm takes long.
  const modules = join(installed.path, "node_modules");
  for (const name of ["openai", "@nats-io", "zeromq"])
    if (!existsSync(join(modules, name)))
      symlinkSync(join(repository, "node_modules", name), join(modules, name), "dir");
});
after(() => {
  installed[Symbol.dispose]();
  bin[Symbol.dispose]();
});

/** What readers have on their path: this Node, and the programs of the project. `npx` never asks a registry. */
function environmentOfReader(): { readonly [name: string]: string } {
  const folders = [
    bin.path,
    join(installed.path, "node_modules", ".bin"),
    dirname(process.execPath),
    process.env["PATH"] ?? "",
  ];
  return { PATH: folders.join(delimiter), NODE_OPTIONS: "", NO_COLOR: "1" };
}

async function runPage(page: string): Promise<number> {
  using project = createTemporaryFolder();
  symlinkSync(join(installed.path, "node_modules"), join(project.path, "node_modules"), "dir");
  const environment = environmentOfReader();
  const servers: Program[] = [];
  let runCount = 0;
  if (page === "codetool/README.md") {
    cpSync(join(repository, "agentrt", "src"), join(project.path, "src"), { recursive: true });
  }
  if (examples.includes(page))
    cpSync(dirname(join(repository, page)), project.path, { recursive: true });
  const blocks = readBlocks(page);
  for (const block of blocks) {
    const where = `${page}:${block.line1}`;
    const named = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(block.text);
    if (named?.[1] !== undefined) {
      project.write({ [named[1]]: block.text });
      continue;
    }
    if (block.language === "ts" || block.language === "js")
      assert.fail(`${where}: the first line names no file`);
    if (block.language !== "sh") continue;
    let workingDirectory = project.path;
    for (const line of block.text
      .split("\n")
      .filter((text) => text.trim() !== "" && !text.startsWith("#"))) {
      runCount += 1;
      if (
        /^(npm (start|test|run check|run build|run pack|ci|install|run bench|run gen)|git clone|cd agentrt-codetool)\b/.test(
          line,
        )
      )
        continue;
      const moved = /^cd (\S+)$/.exec(line);
      if (moved?.[1] !== undefined) {
        workingDirectory = join(workingDirectory, moved[1]);
        assert.ok(existsSync(workingDirectory), `${where}: ${line}: there is no such folder`);
        continue;
      }
      const options = { workingDirectory, environment, timeoutMs: 60_000 };
      if (/^(?:\w+=(?:"[^"]*"|\S+) )*(?:npx agentrt run|nats-server)/.test(line)) {
        const server = startProgram(
          "bash",
          ["-c", `exec env ${line.replace(/\s*&$/, "")}`],
          options,
        );
        await server.waitFor(line.startsWith("nats-server") ? /Server is ready/ : /started/i);
        servers.push(server);
        continue;
      }
      const exit = await runProgram("bash", ["-o", "pipefail", "-c", line], options);
      assert.equal(exit.code, 0, `${where}: ${line}\n${exit.stdout}${exit.stderr}`);
    }
  }
  for (const server of servers.toReversed()) {
    server.kill("SIGTERM");
    const exit = await server.exited();
    if (server.process.spawnargs.join(" ").includes("nats-server")) continue;
    assert.equal(
      exit.code,
      0,
      `${page}: agentrt run ended with ${exit.code ?? exit.signal}: ${exit.stderr}`,
    );
  }
  return runCount;
}

for (const page of pages) {
  // Guides lie in the package that they belong to.
  const title = page.replace(/^\w+\/docs\/guides\//, "docs/guides/");
  const programs = ["bash", "curl", ...(page.endsWith("/workers.md") ? ["nats-server"] : [])];
  test(`the commands and code of ${title} work`, { skip: skipUnless(...programs) }, async () => {
    assert.ok((await runPage(page)) > 0, `${page} shows no command`);
  });
}

test("what the README tells readers to run, continuous integration runs", () => {
  const ci = readFileSync(join(repository, ".ci/run"), "utf8");
  for (const command of ["npm run check", "npm test", "npm start -- --once"])
    assert.ok(ci.includes(command), command);
});

test("links between the documents lead to files", () => {
  for (const page of [...pages, "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]) {
    const text = readFileSync(join(repository, page), "utf8");
    for (const match of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const folder = page.includes("/") ? page.slice(0, page.lastIndexOf("/")) : ".";
      assert.ok(existsSync(join(repository, folder, match[1] ?? "")), `${page}: ${match[1]}`);
    }
  }
});
