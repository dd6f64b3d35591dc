/** The command line through its launcher. What it says is tested in `command-line.test.ts`. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { agentrtLauncher } from "testkit";
import { agentrt } from "./test-support/agentrt.ts";

const binary = agentrtLauncher();
const fixtures = fileURLToPath(new URL("../topology/fixtures/", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-cli-")));
after(() => rmSync(base, { recursive: true, force: true }));

test("the launcher prints and exits as the command line in process", async () => {
  for (const words of [
    ["--version"],
    ["topologi"],
    ["topology", "validate", `${fixtures}ok/served.yaml`],
    ["topology", "validate", `${fixtures}err/bad-strategy.yaml`],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...words], {
      cwd: base,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    });
    const inProcess = await agentrt(words, { directory: base });
    assert.deepEqual({ exitCode: status, stdout, stderr }, inProcess, words.join(" "));
  }
});

test("agentrt topology validate reads a pipe", () => {
  const script = `"$1" "$2" topology validate <(cat "$3")`;
  const file = `${fixtures}ok/minimal.yaml`;
  const result = spawnSync("bash", ["-c", script, "bash", process.execPath, binary, file], {
    encoding: "utf8",
  });
  assert.match(result.stdout, /\nValid: 1 agent /);
});

test("agentrt topology diff reads a pipe", () => {
  writeFileSync(
    join(base, "same.yaml"),
    "supervisor: { name: x, children: [{ name: y, type: t.Y }] }\n",
  );
  const script = `echo 'supervision: { children: [{ agent: { type: t.Y, name: y } }], name: x }' | "$1" "$2" topology diff same.yaml /dev/stdin --exit-code`;
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["-c", script, "bash", process.execPath, binary],
    { cwd: base, encoding: "utf8" },
  );
  assert.deepEqual([status, stdout, stderr], [0, "No differences\n", ""]);
});

test("agentrt ends quietly when the reader of its output goes away", async () => {
  const child = spawn(
    process.execPath,
    [binary, "topology", "show", `${fixtures}ok/every-form.yaml`],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  assert.deepEqual([exitCode, stderr], [0, ""]);
});

const hostile: readonly (readonly [
  name: string,
  content: () => string | Buffer,
  message: RegExp,
])[] = [
  [
    "nested flow lists",
    () => "[".repeat(20_000) + "]".repeat(20_000),
    /nested deeper than 64 levels/,
  ],
  [
    "nested flow mappings",
    () => "{a: ".repeat(20_000) + "1" + "}".repeat(20_000),
    /more than 20000 values/,
  ],
  ["nested block lists", () => `${"- ".repeat(20_000)}a`, /nested deeper than 64 levels/],
  ["nested keys", () => `${"? ".repeat(20_000)}a`, /nested deeper than 64 levels/],
  ["10 MB", () => Buffer.alloc(10_000_000, "a: b\n"), /larger than 1048576 bytes/],
  ["many values", () => "- a\n".repeat(200_000), /more than 20000 values/],
  ["many flow values", () => `[${"a,".repeat(39_000)}]`, /more than 20000 values/],
  [
    "many keys",
    () => Array.from({ length: 19_000 }, (_, index) => `k${index}: v`).join("\n"),
    /unknown key/,
  ],
  ["one long line", () => `a: ${"x".repeat(1_000_000)}`, /unknown key "a"/],
  ["quotes", () => `a: ${'"'.repeat(39_000)}`, /yaml:1:/],
  ["carriage returns", () => "a:\r".repeat(300_000), /more than 20000 values/],
  ["directives", () => "%a\n".repeat(39_000), /YAML directive/],
  [
    "anchors",
    () => Array.from({ length: 15_000 }, (_, index) => `k${index}: &a${index} v`).join("\n"),
    /unknown key/,
  ],
  ["bytes", () => Buffer.from([0xff, 0xfe, 0x00, 0x41]), /not UTF-8/],
];

/** Far beyond what the files take, and far below what work that grows with the square of their sizes takes. */
const timeoutMs = 100_000;
/** What all of them may take beside what the program takes before. */
const grownMaxKb = 250 * 1024;

test(
  "agentrt topology validate of hostile files ends in time and memory",
  { timeout: timeoutMs },
  async () => {
    const files = readdirSync(`${fixtures}hostile`).map((file) => `${fixtures}hostile/${file}`);
    const validate = async (path: string): Promise<string> =>
      (await agentrt(["topology", "validate", path], { directory: base })).stdout;
    await validate(`${fixtures}ok/served.yaml`);
    const beforeKb = process.resourceUsage().maxRSS;
    for (const [name, content, message] of hostile) {
      const path = join(base, "hostile.yaml");
      writeFileSync(path, content());
      assert.match(await validate(path), message, name);
    }
    for (const file of files) assert.match(await validate(file), /yaml:\d+:\d+: |Valid/, file);
    const grownKb = process.resourceUsage().maxRSS - beforeKb;
    assert.ok(grownKb < grownMaxKb, `${grownKb} kB`);
  },
);
