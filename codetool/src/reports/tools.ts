import { parseBunTest } from "./parsers/bun-test.ts";
import { parseDenoTest } from "./parsers/deno-test.ts";
import { parseJest } from "./parsers/jest.ts";
import { parseMocha } from "./parsers/mocha.ts";
import { parseNodeTest } from "./parsers/node-test.ts";
import { parseVitest } from "./parsers/vitest.ts";
import { buildTools } from "./build-tools.ts";
import { coverageTools } from "./coverage-tools.ts";
import { infrastructureTools } from "./infrastructure-tools.ts";
import { parseEslint } from "./parsers/eslint.ts";
import { parseGoTest } from "./parsers/go-test.ts";
import { parsePytest } from "./parsers/pytest.ts";
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
    id: "eslint",
    title: "ESLint",
    family: "lint",
    commands: ["eslint"],
    signature: /^\u2716 \d+ problems? \(\d+ errors?, \d+ warnings?\)$/m,
    parse: parseEslint,
    json: { flags: ["--format=json"], conflict: /^(-f|--format|-o|--output-file)/ },
  },
  ...buildTools,
  ...infrastructureTools,
];
