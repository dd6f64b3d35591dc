import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanText } from "./clean-text.ts";
import { commandsIn } from "./commands-in.ts";
import { injectJsonFlags } from "./inject-json-flags.ts";
import { readReport } from "./read-report.ts";
import { splitShell } from "./shell-words.ts";
import { findTool, type Tool } from "./tool.ts";
import { tools } from "./tools.ts";

const scripts: { readonly [name: string]: string } = {
  test: "npm run lint && NODE_ENV=test jest --ci",
  lint: "eslint . --ext .ts",
  unit: "vitest run",
  again: "npm run again",
};
const readScript = (name: string): string | undefined => scripts[name];

/** Words of a command line without quotes. */
function toolsIn(line: string | readonly string[]): string[] {
  const argv = typeof line === "string" ? line.split(" ") : line;
  return commandsIn(argv, readScript).map(({ words }) => findTool(tools, words)?.tool.id ?? "?");
}

test("a tool is found behind what runs it", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["pytest -x", "pytest"],
    ["/usr/bin/pytest", "pytest"],
    ["python -m pytest tests", "pytest"],
    ["python3.12 -W error -m pytest", "pytest"],
    [".venv/bin/python .venv/bin/pytest", "pytest"],
    ["uv run pytest", "pytest"],
    ["uv run --with pytest-xdist --python 3.12 pytest -n 2", "pytest"],
    ["uv run -m pytest", "pytest"],
    ["uv run -- python -m pytest", "pytest"],
    ["poetry run pytest", "pytest"],
    ["env A=1 -u B pytest", "pytest"],
    ["A=1 B=2 pytest", "pytest"],
    ["timeout -k 5 60 nice -n 5 pytest", "pytest"],
    ["go test ./...", "go_test"],
    ["go -C sub test ./...", "go_test"],
    ["cargo test", "cargo_test"],
    ["cargo +nightly test --all", "cargo_test"],
    ["cargo --manifest-path a/Cargo.toml clippy", "cargo_clippy"],
    ["cargo nextest run", "cargo_nextest"],
    ["npx jest", "jest"],
    ["npx --yes -p jest jest --ci", "jest"],
    ["node_modules/.bin/jest", "jest"],
    ["node node_modules/jest/bin/jest.js --ci", "jest"],
    ["node --experimental-vm-modules node_modules/.bin/jest", "jest"],
    ["C:\\proj\\node_modules\\.bin\\jest.cmd", "jest"],
    ["pnpm exec vitest", "vitest"],
    ["pnpm vitest run", "vitest"],
    ["yarn eslint .", "eslint"],
    ["bunx biome check", "biome"],
    ["bun run unit", "vitest"],
    ["bun test", "bun_test"],
    ["node --test", "node_test"],
    ["node --import ./x.js --test src", "node_test"],
    ["npm --prefix web run unit -- --coverage", "jest_cov"],
    ["npx tsc -p .", "tsc"],
    ["node node_modules/typescript/bin/tsc", "tsc"],
    ["make -j4 all", "make"],
    ["cmake --build build", "cmake"],
    ["ruff check .", "ruff"],
    ["golangci-lint run", "golangci_lint"],
  ];
  for (const [line, wanted] of rows) assert.deepEqual(toolsIn(line), [wanted], line);
});

test("what merely holds a tool's name is not the tool", () => {
  for (const line of [
    "cat pytest.log",
    "grep jest package.json",
    "git show --grep eslint",
    "ls",
    "npm view jest",
    "go fmt ./test",
    "python setup.py pytest",
  ])
    assert.deepEqual(toolsIn(line), ["?"], line);
});

test("the commands of a script and of a shell's text are found, in their order", () => {
  assert.deepEqual(toolsIn("npm test"), ["eslint", "jest"]);
  assert.deepEqual(toolsIn("npm run again").length, 1);
  const text =
    "cd 'a b' && FOO=1 pytest -q 2>&1 | tee log; (go test ./... || true) > out 2>err\nif x; then cargo test; fi";
  const found = toolsIn(["bash", "-lc", text]).filter((id) => id !== "?");
  assert.deepEqual(found, ["pytest", "go_test", "cargo_test"]);
});

test("splitShell() takes quotes, escapes and redirections off", () => {
  const rows: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    [`a "b c" 'd "e' f\\ g`, [["a", "b c", 'd "e', "f g"]]],
    ["a >out 2>&1 <in b", [["a", "b"]]],
    ["a 2> err b # rest", [["a", "b"]]],
    ["a;b&&c||d|e&f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
    [`a "" b#c`, [["a", "", "b#c"]]],
    ["'never closed", [["never closed"]]],
  ];
  for (const [script, wanted] of rows) assert.deepEqual(splitShell(script), wanted, script);
});

test("injectJsonFlags() adds a flag after the subcommand, where there is one and nothing is decided", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["npx eslint src", "npx eslint --format=json src"],
    ["npx eslint -f unix src", "npx eslint -f unix src"],
    ["go test ./... -run X", "go test -json ./... -run X"],
    ["go test ./... -args -json", "go test -json ./... -args -json"],
    ["go vet ./...", "go vet ./..."],
    [
      "cargo +nightly clippy -- -D warnings",
      "cargo +nightly clippy --message-format=json -- -D warnings",
    ],
    ["cargo run -- x", "cargo run -- x"],
    ["env A=1 uv run mypy .", "env A=1 uv run mypy --output=json ."],
    ["ruff format .", "ruff format ."],
    ["ruff check .", "ruff check --output-format=json ."],
    ["biome check --reporter=junit", "biome check --reporter=junit"],
    ["npm test", "npm test"],
    ["yarn jest --ci", "yarn jest --json --ci"],
    ["pytest", "pytest"],
    ["ls", "ls"],
  ];
  for (const [line, wanted] of rows)
    assert.equal(injectJsonFlags(line.split(" "), readScript).join(" "), wanted, line);
});

const quiet = { stdout: "", stderr: "", exitCode: 0 };

test("where the command does not tell, the output does", () => {
  const combined = "==== test session starts ====\n\n==== 2 passed, 1 skipped in 0.01s ====\n";
  for (const line of ["make check", "tox", "./run-all.sh"]) {
    const { tool, report } = readReport(line.split(" "), { ...quiet, combined }, { readScript });
    assert.deepEqual([tool, report?.passed, report?.skipped], ["pytest", 2, 1], line);
  }
});

test("a file that is shown is not taken for the tool that wrote it", () => {
  const combined = "==== test session starts ====\n\n==== 2 passed in 0.01s ====\n";
  for (const line of ["cat old.log", "tail -n 50 old.log", "rg passed", "git show HEAD:old.log"]) {
    const { tool, report } = readReport(line.split(" "), { ...quiet, combined }, { readScript });
    assert.deepEqual([tool, report], ["unknown", undefined], line);
  }
});

test("of several commands the one that explains the failure is told", () => {
  const combined = "/p/a.js\n  1:1  error  bad  no-bad\n\n\u2716 1 problem (1 error, 0 warnings)\n";
  const output = { ...quiet, combined, stdout: combined, exitCode: 1 };
  const { tool, report } = readReport(["npm", "test"], output, { readScript });
  assert.deepEqual([tool, report?.failed], ["eslint", 1]);
});

test("nothing is made up where nothing is recognised", () => {
  const output = { ...quiet, combined: "segmentation fault\n", exitCode: 139 };
  for (const tool of tools) {
    const command = tool.commands[0] ?? "";
    const { report } = readReport(command.split(" "), output, { readScript });
    assert.equal(report, undefined, tool.id);
  }
});

test("cleanText() leaves what a reader of the terminal saw", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["\u001b[31mred\u001b[0m \u001b[1;38;5;12mx\u001b[K", "red x"],
    ["\u001b]8;;https://x.y\u0007link\u001b]8;;\u0007", "link"],
    ["\u001b]0;title\u001b\\text", "text"],
    ["10%\r50%\r100%\ndone\r\n", "100%\ndone\n"],
    ["ab\b\bcd\n", "cd\n"],
    ["plain [0m text", "plain [0m text"],
  ];
  for (const [text, wanted] of rows) assert.equal(cleanText(text), wanted, JSON.stringify(text));
});

test("a parser that throws is a defect that is told, unless another explains the failure", () => {
  const broken: Tool = {
    id: "broken",
    title: "",
    family: "tests",
    commands: ["broken"],
    parse: () => {
      throw new Error("oh no");
    },
  };
  const output = { ...quiet, combined: "text", exitCode: 1 };
  const { tool, defect, report } = readReport(["broken"], output, {
    readScript,
    table: [broken, ...tools],
  });
  assert.deepEqual([tool, (defect as Error).message, report], ["broken", "oh no", undefined]);
});
