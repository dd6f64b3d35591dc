import { parseCargoLlvmCov, parseGoCover, parseJestCov, parsePytestCov } from "./parsers/index.ts";
import type { Tool } from "./tool.ts";

/** Test runners that measure coverage, and tools that print it: before the runners themselves. */
export const coverageTools: readonly Tool[] = [
  {
    id: "cargo_llvm_cov",
    title: "cargo llvm-cov",
    family: "coverage",
    commands: ["cargo llvm-cov", "cargo-llvm-cov"],
    signature: /^Filename +Regions +Missed Regions +Cover/m,
    parse: parseCargoLlvmCov,
    json: {
      flags: ["--json", "--summary-only"],
      conflict:
        /^--(?:json|lcov|cobertura|codecov|text|html|open|output-path|output-dir|summary-only|no-report)/,
    },
  },
  {
    id: "pytest_cov",
    title: "pytest-cov, coverage.py",
    family: "coverage",
    commands: ["coverage", "pytest", "py.test"],
    isMeant: (args, command) =>
      command === "coverage" || args.some((arg) => /^--cov(?:=|-|$)/.test(arg)),
    signature: /^Name +Stmts +Miss .*Cover/m,
    parse: parsePytestCov,
  },
  {
    id: "go_cover",
    title: "go test -cover, go tool cover",
    family: "coverage",
    commands: ["go tool cover", "go test"],
    isMeant: (args) => args.some((arg) => /^--?(?:cover|func)/.test(arg)),
    signature: /^(?:ok {2}|FAIL)?\t\S+\t.*coverage: [\d.]+% of statements/m,
    parse: parseGoCover,
    json: { flags: ["-json"], commands: ["go test"], conflict: /^--?json/ },
  },
  {
    id: "jest_cov",
    title: "coverage of Jest, Vitest, c8, nyc",
    family: "coverage",
    commands: ["c8", "nyc", "jest", "vitest"],
    isMeant: (args, command) =>
      command === "c8" ||
      command === "nyc" ||
      args.some((arg) => /^--coverage(?!=false)|^--collectCoverage|^--collect-coverage/.test(arg)),
    signature: /^File +\| +% Stmts/m,
    parse: parseJestCov,
  },
];
