/**
 * The packed tarballs, in a project outside this repository: they install, their declarations type-check, `agentrt`
 * runs a topology whose agents import it, and `codetool` answers. And `agentrt init`, whose project runs at once.
 */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compileTypedPrograms } from "./conformance/typed-programs.ts";
import { installedPackages } from "./installed-packages.ts";
import { createTemporaryFolder, freePort, runProgram, startProgram } from "testkit";

const repository = fileURLToPath(new URL("..", import.meta.url));
const binaries = join(repository, "node_modules", ".bin");
const environment = {
  PATH: [binaries, process.env["PATH"] ?? ""].join(delimiter),
  NODE_OPTIONS: "",
};
const project = createTemporaryFolder();
after(() => project[Symbol.dispose]());

async function run(command: string, args: readonly string[], workingDirectory = project.path) {
  return await runProgram(command, args, { workingDirectory, environment, timeoutMs: 150_000 });
}

const agents = `
import { Agent, type JsonObject, type Message } from "agentrt";

export class Visits extends Agent {
  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["order"] === "crash") throw new Error("told to crash");
    this.state["visits"] = Number(this.state["visits"] ?? 0) + 1;
    await this.checkpoint();
    return { visits: this.state["visits"] };
  }
}
`;

const program = `
import { child, Runtime, supervisor } from "agentrt";
import type * as gateway from "agentrt/gateway";
import type * as state from "agentrt/state";
import { VirtualClock } from "agentrt/testing";
import type * as topology from "agentrt/topology";
import { Visits } from "./agents.ts";

// Every entrance of the package, without the packages that are optional.
export type Entrances = [typeof gateway, typeof state, typeof topology];

const clock = new VirtualClock({ seed: 1 });
console.log(typeof clock.nowMs());
const supervision = supervisor("root", { children: [child(Visits, "visits")] });
await using runtime = new Runtime({ supervision });
await runtime.start();
const reply = await runtime.call("visits", {});
console.log(JSON.stringify(reply));
await using fromFile = await Runtime.fromTopology("topology.yaml", { typeMap: { mapped: Visits } });
const names = (node: { name: string; children?: readonly { name: string }[] }): string[] =>
  [node.name, ...(node.children ?? []).map((each) => each.name)];
console.log(names(fromFile.tree()).join(" "));
`;

function topology(port: number): string {
  return `plugins: { state: { type: sqlite, config: { db_path: state.db } } }
supervision:
  name: root
  backoff_base: 0.01
  children:
    - agent: { name: visits, type: agents.Visits }
    - agent: { name: second, type: mapped }
    - name: gateway
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, routes: [ { method: POST, path: /visits, agent: visits } ] }
`;
}

const manifest = JSON.parse(readFileSync(join(repository, "agentrt", "package.json"), "utf8")) as {
  readonly peerDependencies: { readonly [name: string]: string };
};
/** Declarations that need one do not compile, whatever else is installed. */
const optionalPackages = Object.keys(manifest.peerDependencies);

let installed: Awaited<ReturnType<typeof installedPackages>>;
before(async () => {
  installed = await installedPackages();
  symlinkSync(join(installed.path, "node_modules"), join(project.path, "node_modules"), "dir");
  project.write({
    "package.json": JSON.stringify({ name: "outside", private: true, type: "module" }),
    "agents.ts": agents,
    "run.ts": program,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        module: "NodeNext",
        target: "ES2024",
        lib: ["ES2024", "ESNext.Disposable"],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        skipLibCheck: false,
        types: ["node"],
        typeRoots: [join(repository, "node_modules", "@types")],
        paths: Object.fromEntries(optionalPackages.map((name) => [name, ["./not-installed"]])),
      },
      files: ["run.ts"],
    }),
  });
});
after(() => installed[Symbol.dispose]());

test("a tarball holds JavaScript, declarations and the launcher, and no TypeScript source or test", () => {
  for (const name of ["agentrt", "codetool"]) {
    const files = globSync(`node_modules/${name}/**/*`, { cwd: installed.path }).filter(
      (file) => !file.includes(`${name}/node_modules/`),
    );
    assert.ok(
      files.some((file) => file.endsWith(`bin/${name}.cjs`)),
      name,
    );
    assert.ok(
      files.some((file) => file.endsWith("dist/index.js")),
      name,
    );
    assert.ok(
      files.some((file) => file.endsWith("dist/index.d.ts")),
      name,
    );
    const strays = files.filter((file) => /(?<!\.d)\.ts$/.test(file) || file.includes(".test."));
    assert.deepEqual(strays, []);
  }
});

test("each package holds its documents, and their links lead to files of the package", () => {
  const wanted = {
    agentrt: ["README.md", "docs/errors.md", "docs/guides/http.md", "dist/agent.proto"],
    codetool: ["README.md", "docs/errors.md", "docs/guides/editing.md", "NOTICE"],
  };
  for (const [name, files] of Object.entries(wanted)) {
    const folder = join(project.path, "node_modules", name);
    for (const file of files) assert.ok(existsSync(join(folder, file)), `${name}/${file}`);
    const pages = globSync("{*.md,docs/**/*.md}", { cwd: folder });
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, link = ""]) => join(dirname(page), link))
        .filter((link) => link.startsWith("..") || !existsSync(join(folder, link)))
        .map((link) => `${name}/${page}: ${link}`),
    );
    assert.deepEqual(dead, []);
    assert.ok(pages.length > files.length, pages.join(", "));
  }
});

test("agentrt ships the service definition of its gRPC gateway", () => {
  const path = createRequire(join(project.path, "run.ts")).resolve("agentrt/agent.proto");
  const source = join(repository, "agentrt/src/gateway/grpc/agent.proto");
  assert.equal(readFileSync(path, "utf8"), readFileSync(source, "utf8"));
});

test("agentrt ships the JSON Schema of topology files", () => {
  const path = createRequire(join(project.path, "run.ts")).resolve("agentrt/topology.schema.json");
  const committed = join(repository, "docs/reference/topology.schema.json");
  assert.equal(readFileSync(path, "utf8"), readFileSync(committed, "utf8"));
});

test("the declarations type-check a program in strict mode", async () => {
  const checked = await run(join(binaries, "tsc"), ["-p", "."]);
  assert.equal(checked.code, 0, checked.stdout);
});

test("state, messages, replies and configuration are typed: what is wrong is an error in its line, and only that", async () => {
  const compiler = join(repository, "node_modules", "typescript", "bin", "tsc");
  const findings = await compileTypedPrograms(project.path, compiler);
  assert.deepEqual(findings, { unexpected: [], missed: [] });
});

test("the API runs from the installed package: both ways of building a tree, and the type map", async () => {
  project.write({ "topology.yaml": topology(await freePort()) });
  const exit = await run(process.execPath, ["run.ts"]);
  assert.equal(exit.code, 0, exit.stderr);
  assert.deepEqual(exit.stdout.trim().split("\n"), [
    "number",
    '{"visits":1}',
    "root visits second gateway",
  ]);
});

test("agentrt run of the installed package serves, survives a crash with its checkpoint, and stops on SIGTERM in time", async () => {
  const port = await freePort();
  const tree = topology(port).replace("    - agent: { name: second, type: mapped }\n", "");
  project.write({ "topology.yaml": tree });
  await using server = startProgram(
    process.execPath,
    ["node_modules/agentrt/bin/agentrt.cjs", "run"],
    {
      workingDirectory: project.path,
      environment,
    },
  );
  await server.waitFor(/started/);
  const post = async (body: object): Promise<Response> =>
    await fetch(`http://127.0.0.1:${port}/visits`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  assert.deepEqual(await (await post({})).json(), { visits: 1 });
  assert.equal((await post({ order: "crash" })).status, 502);
  assert.deepEqual(await (await post({})).json(), { visits: 2 });
  server.kill("SIGTERM");
  const exit = await server.exited();
  assert.equal(exit.code, 0, exit.stderr);
});

test("codetool of the installed package answers under Node", async () => {
  const exit = await run(process.execPath, [
    "node_modules/codetool/bin/codetool.cjs",
    "outline",
    "agents.ts",
    "--budget",
    "2000",
  ]);
  assert.equal(exit.code, 0, exit.stderr);
  const envelope = JSON.parse(exit.stdout) as { data: { symbols: { name: string }[] } };
  assert.deepEqual(
    envelope.data.symbols.map((symbol) => symbol.name),
    ["Visits"],
  );
});

test("a project made by agentrt init runs at once with nothing installed beside it", async () => {
  using folder = createTemporaryFolder();
  const binary = join(project.path, "node_modules", "agentrt", "bin", "agentrt.cjs");
  const made = await run(process.execPath, [binary, "init", "greeting"], folder.path);
  assert.equal(made.code, 0, made.stderr);
  const inside = join(folder.path, "greeting");
  const valid = await run(
    process.execPath,
    [binary, "topology", "validate", "topology.yaml"],
    inside,
  );
  assert.equal(valid.code, 0, valid.stdout + valid.stderr);
  // The guides, whose commands other tests run, have the port that a new project has.
  const path = join(inside, "topology.yaml");
  const topology = readFileSync(path, "utf8");
  assert.match(topology, /port: 8080/);
  writeFileSync(path, topology.replace("port: 8080", `port: ${await freePort()}`));
  await using server = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: inside,
    environment,
  });
  await server.waitFor(/started/);
  server.kill("SIGTERM");
  assert.equal((await server.exited()).code, 0);
});
