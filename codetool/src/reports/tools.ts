import { parseBiome } from "./parsers/biome.ts";
import { parseCargoTest } from "./parsers/cargo-test.ts";
import { parseGolangciLint } from "./parsers/golangci-lint.ts";
import { parseMypy } from "./parsers/mypy.ts";
import { parseNextest } from "./parsers/nextest.ts";
import { parseRuff } from "./parsers/ruff.ts";
import { parseRustc } from "./parsers/rustc.ts";
import { parseTsc } from "./parsers/tsc.ts";
import { parseBunTest } from "./parsers/bun-test.ts";
import { parseDenoTest } from "./parsers/deno-test.ts";
import { parseJest } from "./parsers/jest.ts";
import { parseMocha } from "./parsers/mocha.ts";
import { parseNodeTest } from "./parsers/node-test.ts";
import { parseVitest } from "./parsers/vitest.ts";
import { parseEslint } from "./parsers/eslint.ts";
import { parseGoTest } from "./parsers/go-test.ts";
import { parsePytest } from "./parsers/pytest.ts";
import { buildTools } from "./build-tools.ts";
import { coverageTools } from "./coverage-tools.ts";
import { infrastructureTools } from "./infrastructure-tools.ts";
import type { Tool } from "./tool.ts";

/** The tools, the more specific before the general: the first that fits counts. */
export const tools: readonly Tool[] = [
  ...coverageTools,
  {
    id: "pytest",
    title: "pytest",
    family: "tests",
    commands: ["pytest", "py.test"],
    signature: /^=+ test session starts =+$/m,
    parse: parsePytest,
  },
  {
    id: "go_test",
    title: "go test",
    family: "tests",
    commands: ["go test", "gotestsum"],
    signature: /^(?:ok {2}|FAIL)\t\S+\t[\d.]+s/m,
    parse: parseGoTest,
    json: { flags: ["-json"], commands: ["go test"], conflict: /^--?json/ },
  },
  {
    id: "vitest",
    title: "Vitest",
    family: "tests",
    commands: ["vitest"],
    signature: /^ +Test Files +.*\(\d+\)$/m,
    parse: parseVitest,
  },
  {
    id: "jest",
    title: "Jest",
    family: "tests",
    commands: ["jest"],
    signature: /^Test Suites: .*\btotal$/m,
    parse: parseJest,
    json: {
      flags: ["--json"],
      conflict: /^--(?:json|outputFile|reporters|watch|listTests|showConfig)/,
    },
  },
  {
    id: "mocha",
    title: "Mocha",
    family: "tests",
    commands: ["mocha", "_mocha"],
    signature: /^ {2}\d+ passing \(/m,
    parse: parseMocha,
    json: { flags: ["--reporter=json"], conflict: /^(?:-R|--reporter|--watch|-w)/ },
  },
  {
    id: "node_test",
    title: "node --test",
    family: "tests",
    commands: ["node --test"],
    signature: /^(?:ℹ|#) tests \d+\n(?:ℹ|#) suites \d+$/m,
    parse: parseNodeTest,
  },
  {
    id: "bun_test",
    title: "bun test",
    family: "tests",
    commands: ["bun test"],
    signature: /^bun test v\d/m,
    parse: parseBunTest,
  },
  {
    id: "deno_test",
    title: "deno test",
    family: "tests",
    commands: ["deno test"],
    signature: /^(?:ok|FAILED) \| \d+ passed .*\| \d+ failed/m,
    parse: parseDenoTest,
  },
  {
    id: "cargo_nextest",
    title: "cargo nextest",
    family: "tests",
    commands: ["cargo nextest", "cargo-nextest"],
    signature: /^ *Summary \[ *[\d.]+s\] \d+ tests? run:/m,
    parse: parseNextest,
  },
  {
    id: "cargo_test",
    title: "cargo test",
    family: "tests",
    commands: ["cargo test", "cargo t"],
    signature: /^test result: (?:ok|FAILED)\. \d+ passed;/m,
    parse: parseCargoTest,
  },
  {
    id: "cargo_clippy",
    title: "cargo clippy",
    family: "lint",
    commands: ["cargo clippy", "cargo-clippy"],
    parse: parseRustc,
    json: { flags: ["--message-format=json"], conflict: /^--message-format/ },
  },
  {
    id: "cargo_build",
    title: "cargo build, cargo check, rustc",
    family: "build",
    commands: [
      "cargo build",
      "cargo b",
      "cargo check",
      "cargo c",
      "cargo doc",
      "cargo bench",
      "cargo run",
      "rustc",
    ],
    signature: /^error: could not compile `/m,
    parse: parseRustc,
    json: {
      flags: ["--message-format=json"],
      commands: ["cargo build", "cargo b", "cargo check", "cargo c"],
      conflict: /^--message-format/,
    },
  },
  {
    id: "tsc",
    title: "tsc, vue-tsc",
    family: "build",
    commands: ["tsc", "vue-tsc", "tsgo"],
    signature: /^\S.*?(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: /m,
    parse: parseTsc,
  },
  {
    id: "eslint",
    title: "ESLint",
    family: "lint",
    commands: ["eslint"],
    signature: /^\u2716 \d+ problems? \(\d+ errors?, \d+ warnings?\)$/m,
    parse: parseEslint,
    json: { flags: ["--format=json"], conflict: /^(-f|--format|-o|--output-file)/ },
  },
  {
    id: "biome",
    title: "Biome",
    family: "lint",
    commands: ["biome"],
    signature: /^\S+ (?:lint|assist|format|parse)\S*.* ━{3,}$/m,
    parse: parseBiome,
    json: {
      flags: ["--reporter=json"],
      commands: ["biome check", "biome lint", "biome ci", "biome format"],
      conflict: /^--reporter/,
    },
  },
  {
    id: "ruff",
    title: "Ruff",
    family: "lint",
    commands: ["ruff"],
    signature: /^(?:All checks passed!|\[\*\] \d+ fixable with the `--fix` option\.)$/m,
    parse: parseRuff,
    json: {
      flags: ["--output-format=json"],
      commands: ["ruff check"],
      conflict: /^(?:--output-format|--statistics|--watch|--diff)/,
    },
  },
  {
    id: "mypy",
    title: "mypy",
    family: "lint",
    commands: ["mypy", "dmypy run"],
    signature:
      /^(?:Found \d+ errors? in \d+ files? \(|Success: no issues found in \d+ source file)/m,
    parse: parseMypy,
    json: {
      flags: ["--output=json"],
      commands: ["mypy"],
      conflict: /^(?:--output|-O|--version|-V|--help|-h)/,
    },
  },
  {
    id: "golangci_lint",
    title: "golangci-lint",
    family: "lint",
    commands: ["golangci-lint"],
    signature: /^\S+\.go:\d+:\d+: .+ \([a-z]+\)$/m,
    parse: parseGolangciLint,
  },
  ...buildTools,
  ...infrastructureTools,
];
