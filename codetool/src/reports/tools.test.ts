import assert from "node:assert/strict";
import { test } from "node:test";
import { injectJsonFlags } from "./inject-json-flags.ts";
import { readReport } from "./read-report.ts";
import { findTool } from "./tool.ts";
import { tools } from "./tools.ts";

const noScript = (): undefined => undefined;

test("each command is one tool, the more specific before the general", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["cargo llvm-cov --lcov", "cargo_llvm_cov"],
    ["cargo +nightly llvm-cov nextest", "cargo_llvm_cov"],
    ["pytest --cov=shop tests", "pytest_cov"],
    ["pytest --cov", "pytest_cov"],
    ["pytest --color=no", "pytest"],
    ["coverage report -m", "pytest_cov"],
    ["go test -cover ./...", "go_cover"],
    ["go test -coverprofile=c.out ./...", "go_cover"],
    ["go tool cover -func=c.out", "go_cover"],
    ["go tool pprof x", "?"],
    ["jest --coverage", "jest_cov"],
    ["jest --coverage=false", "jest"],
    ["vitest run --coverage.enabled", "jest_cov"],
    ["c8 node --test", "jest_cov"],
    ["nyc report", "jest_cov"],
    ["kubectl -n web logs pod/a -f", "kubectl_logs"],
    ["kubectl --context c get pods", "kubectl"],
    ["docker logs web", "kubectl_logs"],
    ["docker compose -f a.yml logs web", "kubectl_logs"],
    ["docker build -t x .", "docker_build"],
    ["docker buildx build .", "docker_build"],
    ["docker run x", "?"],
    ["terraform -chdir=infra plan", "terraform"],
    ["tofu apply", "terraform"],
    ["./mvnw -q test", "mvn"],
    ["./gradlew :web:test", "gradle"],
    ["dotnet test", "dotnet"],
    ["swift test", "swift"],
    ["swift script.swift", "?"],
    ["npm ls --all", "npm_ls"],
    ["git -C sub log --oneline", "git_log"],
    ["git -c color.ui=never log", "git_log"],
    ["git logs", "?"],
    ["x86_64-linux-gnu-gcc -c a.c", "?"],
    ["ctest --test-dir build", "ctest"],
    ["ninja -C build", "make"],
  ];
  for (const [line, wanted] of rows)
    assert.equal(findTool(tools, line.split(" "))?.tool.id ?? "?", wanted, line);
});

test("JSON is asked for where the subcommand prints some, and nowhere else", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["terraform plan -out=p", "terraform plan -json -out=p"],
    ["terraform -chdir=a validate", "terraform -chdir=a validate -json"],
    ["terraform apply -auto-approve", "terraform apply -auto-approve"],
    ["terraform init", "terraform init"],
    ["kubectl get pods -A", "kubectl get -o=json pods -A"],
    ["kubectl get pods -o wide", "kubectl get pods -o wide"],
    ["kubectl get pods --watch", "kubectl get pods --watch"],
    ["kubectl describe pod a", "kubectl describe pod a"],
    ["kubectl logs a", "kubectl logs a"],
    ["npm ls --all", "npm ls --json --all"],
    ["npm ls --parseable", "npm ls --parseable"],
    ["go test -cover ./...", "go test -json -cover ./..."],
    ["go tool cover -func=c.out", "go tool cover -func=c.out"],
    ["cargo llvm-cov", "cargo llvm-cov --json --summary-only"],
    ["cargo llvm-cov --html", "cargo llvm-cov --html"],
    ["pytest --cov", "pytest --cov"],
    ["make -j4", "make -j4"],
    ["git log", "git log"],
  ];
  for (const [line, wanted] of rows)
    assert.equal(injectJsonFlags(line.split(" "), noScript).join(" "), wanted, line);
});

test("what make runs counts before its own words", () => {
  const combined = `pytest
============================= test session starts ==============================
collected 2 items

tests/test_a.py .F                                                       [100%]

=========================== short test summary info ============================
FAILED tests/test_a.py::test_b - assert 1 == 2
========================= 1 failed, 1 passed in 0.02s ==========================
make: *** [Makefile:2: test] Error 1
`;
  const output = { stdout: combined, stderr: "", combined, exitCode: 2 };
  const { tool, report } = readReport(["make", "test"], output, { readScript: noScript });
  assert.deepEqual([tool, report?.passed, report?.failed], ["pytest", 1, 1]);
});

test("coverage that a runner was told in a file to measure is found by its mark", () => {
  const combined = `
 RUN  v4.1.12 /project

 \u2713 a.test.ts (1 test) 4ms

 Test Files  1 passed (1)
      Tests  1 passed (1)

----------|---------|----------|---------|---------|-------------------
File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s
----------|---------|----------|---------|---------|-------------------
All files |      50 |      100 |      50 |      50 |
 a.js     |      50 |      100 |      50 |      50 | 4-9
----------|---------|----------|---------|---------|-------------------
`;
  const output = { stdout: combined, stderr: "", combined, exitCode: 0 };
  const { tool, report } = readReport(["vitest", "run"], output, { readScript: noScript });
  assert.deepEqual([tool, report?.passed, report?.warnings.length], ["jest_cov", 1, 1]);
});

test("a tool that ends well without a word that is known leaves its last lines to the reader", () => {
  const output = { stdout: "hello\n", stderr: "", combined: "hello\n", exitCode: 0 };
  const ids = tools
    .filter(({ parse }) => parse({ ...output, words: [] }) !== undefined)
    .map(({ id }) => id);
  // Every line of a log and of a history of some format is what was asked for.
  assert.deepEqual(
    ids.filter((id) => id !== "kubectl_logs" && id !== "git_log"),
    [],
  );
});
