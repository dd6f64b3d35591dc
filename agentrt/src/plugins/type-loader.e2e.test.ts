import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";

const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-plugins-")));
after(() => rmSync(base, { recursive: true, force: true }));

/** Each load in a process of its own would be slow; the project is loaded from one. */
function loadAll(project: string, types: readonly string[], setup = ""): Map<string, string> {
  const script = `
    const { createTypeLoader } = await import(${JSON.stringify(new URL("index.ts", import.meta.url).href)});
    const typeMap = { mapped: class Mapped {}, "agents.Shadowed": class FromMap {}, notClass: 5 };
    const loader = createTypeLoader({ projectRoot: ${JSON.stringify(project)}, typeMap });
    ${setup}
    const results = [];
    for (const type of ${JSON.stringify(types)}) {
      try { results.push([type, "loaded " + (await loader.load(type)).name]); }
      catch (error) { results.push([type, error.code + " " + error.message]); }
    }
    console.log(JSON.stringify(results));
  `;
  const result = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: base,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  assert.equal(result.status, 0, result.stderr);
  const parsed = JSON.parse(result.stdout.trim().split("\n").at(-1) ?? "") as [string, string][];
  return new Map(parsed);
}

function writeProject(name: string, files: { readonly [path: string]: string }): string {
  const folder = join(base, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Loads every type of the rows in one process and compares: `loaded <class>`, or a code and part of a message. */
function check(
  project: string,
  rows: readonly (readonly [type: string, expected: string | RegExp])[],
  setup?: string,
): void {
  const results = loadAll(
    project,
    rows.map(([type]) => type),
    setup,
  );
  for (const [type, expected] of rows) {
    const result = results.get(type) ?? "";
    if (typeof expected === "string") assert.equal(result, expected, type);
    else assert.match(result, expected, type);
    assert.ok(!result.includes("\n"), type);
  }
}

const agentSource = (name: string): string =>
  `export class ${name} { readonly label: string = "x"; }\n`;

test("createTypeLoader() loads every form of a type from a commonjs project without an install", () => {
  const project = writeProject("forms", {
    "package.json": '{"name":"p","type":"commonjs"}',
    "agents.ts": `import { helper } from "./lib/helper.ts";\nexport class GreeterAgent { readonly x: number = helper(); }\nexport const notClass: number = 5;\nexport const arrow = (): number => 1;\n${agentSource("Shadowed")}`,
    "lib/helper.ts": "export const helper = (): number => 1;\n",
    "billing/invoices.mts": agentSource("Clerk"),
    "src/agents.ts": agentSource("Inner"),
    "plain.mjs": "export class Plain {}\n",
    "node_modules/@acme/agents/package.json":
      '{"name":"@acme/agents","exports":{".":"./main.js","./sub":"./sub.js"},"type":"module"}',
    "node_modules/@acme/agents/main.js": "export class Clerk {}\n",
    "node_modules/@acme/agents/sub.js": "export class Sub {}\n",
    "node_modules/@acme/agents/hidden.js": "export class Hidden {}\n",
    "node_modules/common/package.json": '{"name":"common","main":"index.js"}',
    "node_modules/common/index.js": "module.exports = { ['Com' + 'mon']: class Common {} };\n",
  });
  check(project, [
    ["agents.GreeterAgent", "loaded GreeterAgent"],
    ["agents.Shadowed", "loaded FromMap"],
    ["mapped", "loaded Mapped"],
    ["billing.invoices.Clerk", "loaded Clerk"],
    ["plain.Plain", "loaded Plain"],
    ["./src/agents.ts#Inner", "loaded Inner"],
    ["@acme/agents#Clerk", "loaded Clerk"],
    ["@acme/agents/sub#Sub", "loaded Sub"],
    ["common#Common", "loaded Common"],
    ["@acme/agents/hidden.js#Hidden", /^AGENTRT_PLUGIN_MODULE_FAILED .*hidden/],
    ["notClass", /^AGENTRT_PLUGIN_NOT_A_CLASS .*a value of type number/],
    ["agents.notClass", /^AGENTRT_PLUGIN_NOT_A_CLASS .*a value of type number/],
    ["agents.arrow", /^AGENTRT_PLUGIN_NOT_A_CLASS .*a function/],
    [
      "agents.GreterAgent",
      /^AGENTRT_PLUGIN_EXPORT_MISSING .*\.\/agents\.ts has no export "GreterAgent"; did you mean "GreeterAgent"\?/,
    ],
    [
      "agent.GreeterAgent",
      /^AGENTRT_PLUGIN_MODULE_MISSING .*there is no file \.\/agent\.ts \(or \.mts, \.js, \.mjs\)/,
    ],
    [
      "src/agents.ts#Inner",
      /^AGENTRT_PLUGIN_MODULE_MISSING .*installed package src; did you mean "\.\/src\/agents\.ts#Inner"\?/,
    ],
    ["mappd", /^AGENTRT_PLUGIN_UNKNOWN_NAME .*did you mean "mapped"\?/],
  ]);
});

test("createTypeLoader() never leaves the project or the package, and loads none of Node's modules", () => {
  const project = writeProject("contained", {
    "agents.ts": agentSource("A"),
    "node_modules/evil/package.json": '{"name":"evil","main":"./link.js"}',
    "node_modules/evil/real.js": "exports.Real = class Real {};\n",
  });
  writeProject("outside", {
    "agents.ts": agentSource("Outside"),
    "lib/x.js": "exports.X = class X {};\n",
  });
  symlinkSync(join(base, "outside/agents.ts"), join(project, "linked.ts"));
  symlinkSync(join(base, "outside/lib"), join(project, "lib"));
  symlinkSync(join(base, "outside/lib/x.js"), join(project, "node_modules/evil/link.js"));
  const outside = /^AGENTRT_PLUGIN_OUTSIDE_PROJECT /;
  const bad = /^AGENTRT_PLUGIN_BAD_TYPE /;
  check(project, [
    ["agents.A", "loaded A"],
    ["../outside/agents.ts#Outside", outside],
    ["./../outside/agents.ts#Outside", outside],
    ["./x/../../outside/agents.ts#Outside", outside],
    ["linked.Outside", outside],
    ["./linked.ts#Outside", outside],
    ["lib.x.X", outside],
    ["evil#X", outside],
    ["evil/../../../outside/agents.ts#Outside", bad],
    ["evil/%2e%2e/%2e%2e/%2e%2e/outside/agents.ts#Outside", /^AGENTRT_PLUGIN_/],
    ["/etc/passwd#X", bad],
    ["file:///etc/passwd#X", bad],
    ["data:text/javascript,export class X {}#X", bad],
    ["node:fs#Stats", bad],
    ["fs#Stats", /^AGENTRT_PLUGIN_MODULE_MISSING /],
    ["fs.Stats", /^AGENTRT_PLUGIN_MODULE_MISSING /],
    ["agentrt.gateway.ratelimit.RateLimiter", bad],
    ["..x", bad],
    ["", bad],
    ["__proto__", /^AGENTRT_PLUGIN_UNKNOWN_NAME /],
    ["constructor", /^AGENTRT_PLUGIN_UNKNOWN_NAME /],
  ]);
});

test("createTypeLoader() says in one line with file and line why a module cannot be loaded", () => {
  const project = writeProject("failing", {
    "enums.ts": "export const a = 1;\n\nexport enum Colour { Red }\nexport class A {}\n",
    "parameters.ts": "export class A {\n  constructor(private x: number) {}\n}\n",
    "syntax.ts": "export class A {\n  x: = 1;\n}\n",
    "missing.ts": 'import "./nope.ts";\nexport class A {}\n',
    "extensionless.ts": 'import "./syntax";\nexport class A {}\n',
    "subpath.ts": 'import "agentrt/nope";\nexport class A {}\n',
    "default.ts": "export default class A {}\n",
    "throwing.ts": '\n\nthrow new Error("no\\nway");\n',
    "empty.ts": "",
  });
  check(project, [
    [
      "enums.A",
      /MODULE_FAILED .*failing\/enums\.ts:3: TypeScript enum is not supported: types are stripped/,
    ],
    [
      "parameters.A",
      /MODULE_FAILED .*failing\/parameters\.ts:2: TypeScript parameter property is not supported/,
    ],
    ["syntax.A", /MODULE_FAILED .*failing\/syntax\.ts:2: /],
    ["missing.A", /MODULE_FAILED .*failing\/missing\.ts: Cannot find module .*nope\.ts/],
    ["extensionless.A", /MODULE_FAILED .*syntax': write it with its extension, \.ts$/],
    ["subpath.A", /BAD_TYPE .*no such subpath, and \S*failing\/subpath\.ts imports it$/],
    ["default.A", /EXPORT_MISSING .*its only export is the default$/],
    ["throwing.A", /MODULE_FAILED .*failing\/throwing\.ts:3: no$/],
    ["empty.A", /EXPORT_MISSING .*it exports nothing/],
  ]);
});

test("createTypeLoader() finds entrypoints of the project and of installed packages", () => {
  const project = writeProject("workspace/entry", {
    "package.json":
      '{"name":"entry","dependencies":{"hoisted":"1"},"agentrt":{"agents":{"own":"./own.ts#Own"}}}',
    "own.ts": agentSource("Own"),
    "node_modules/one/package.json":
      '{"name":"one","type":"module","agentrt":{"agents":{"clerk":"./c.js#Clerk","twice":"./c.js#Clerk","out":"../../own.ts#Own"},"models":{"m":"./c.js#Model"}}}',
    "node_modules/one/c.js": "export class Clerk {}\nexport class Model {}\n",
    "node_modules/@two/agents/package.json":
      '{"name":"@two/agents","agentrt":{"agents":{"twice":"./x.js#X"}}}',
    "node_modules/broken/package.json": "{",
  });
  writeProject("workspace/node_modules/hoisted", {
    "package.json":
      '{"name":"hoisted","type":"module","agentrt":{"agents":{"high":"./h.js#High"}}}',
    "h.js": "export class High {}\n",
  });
  check(project, [
    ["own", "loaded Own"],
    ["clerk", "loaded Clerk"],
    ["high", "loaded High"],
    ["twice", /AMBIGUOUS_NAME .*@two\/agents, one|AMBIGUOUS_NAME .*one, @two\/agents/],
    ["out", /BAD_TYPE /],
    ["m", /UNKNOWN_NAME /],
    ["clrk", /UNKNOWN_NAME .*did you mean "clerk"\?/],
  ]);
});

test("createTypeLoader() leads imports of the runtime to the running copy, whatever is installed", () => {
  const project = writeProject("copy", {
    "agents.ts":
      'import { marker } from "agentrt";\nimport { inner } from "agentrt/testing";\nexport const A = class { static override name = marker + inner; };\n'.replace(
        "override ",
        "",
      ),
    "bad.ts": 'import "agentrt/nope";\nexport class A {}\n',
    "node_modules/agentrt/package.json": '{"name":"agentrt","main":"x.js"}',
    "node_modules/agentrt/x.js": 'exports.marker = "installed";\n',
    "running/main.mjs": 'export const marker = "running";\n',
    "running/testing.mjs": 'export const inner = "-testing";\n',
  });
  const setup = `
    const { pathToFileURL } = await import("node:url");
    loader.uninstall(); loader.uninstall();
    const urls = { ".": "main.mjs", "./testing": "testing.mjs" };
    const runningCopy = { name: "agentrt", urlOf: (subpath) => urls[subpath] && pathToFileURL(${JSON.stringify(`${project}/running/`)} + urls[subpath]).href };
    loader.load = createTypeLoader({ projectRoot: ${JSON.stringify(project)}, runningCopy }).load;
  `;
  check(
    project,
    [
      ["agents.A", "loaded running-testing"],
      ["bad.A", /AGENTRT_PLUGIN_BAD_TYPE .*"agentrt\/nope": agentrt has no such subpath/],
    ],
    setup,
  );
});
