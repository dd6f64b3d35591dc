/** A test file that takes no notice of SIGTERM ends at its limit all the same, with what it has started. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder, runProgram, skipUnless } from "testkit";

const module = fileURLToPath(new URL("end-late-files.ts", import.meta.url));

const files = {
  "spinning.test.mjs": `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
process.on("SIGTERM", () => undefined);
test("spins", () => {
  const program = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)";
  const child = spawn(process.execPath, ["-e", program], { stdio: "inherit" });
  writeFileSync("child.pid", String(child.pid));
  for (;;);
});
`,
  "passing.test.mjs": 'import { test } from "node:test"; test("passes", () => undefined);',
  "run.mjs": `
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { endLateFiles } from ${JSON.stringify(module)};
const files = ["spinning.test.mjs", join(process.cwd(), "passing.test.mjs")];
const stream = run({ files, concurrency: 1, timeout: 4_000 });
endLateFiles(stream, { timeoutMsOf: () => 2_000, onLate: (file) => console.log("late", file) });
stream.on("test:pass", ({ name }) => console.log("passed", name));
stream.on("test:fail", ({ name, details }) => console.log("failed", name, details.error.signal));
for await (const event of stream) void event;
// One that nobody has waited for yet is a zombie.
const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", readFileSync("child.pid", "utf8")], { encoding: "utf8" });
console.log(stdout === "" || stdout.startsWith("Z") ? "its child has ended" : "its child lives on");
`,
};

test(
  "a file that spins is ended by SIGKILL with its child, and the next one runs",
  { skip: skipUnless("ps") },
  async () => {
    using folder = createTemporaryFolder(files);
    const { stdout, stderr } = await runProgram(process.execPath, ["run.mjs"], {
      workingDirectory: folder.path,
      environment: { NODE_TEST_CONTEXT: undefined },
    });
    assert.match(
      stdout,
      /^late \S*spinning\.test\.mjs\nfailed spinning\.test\.mjs SIGKILL\npassed passes\nits child has ended\n$/,
      stderr,
    );
  },
);
