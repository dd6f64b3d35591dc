import { parseEslint } from "./parsers/eslint.ts";
import { parseGoTest } from "./parsers/go-test.ts";
import { parsePytest } from "./parsers/pytest.ts";
import type { Tool } from "./tool.ts";

/** The tools, the more specific before the general: the first that fits counts. */
export const tools: readonly Tool[] = [
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
    id: "eslint",
    title: "ESLint",
    family: "lint",
    commands: ["eslint"],
    signature: /^\u2716 \d+ problems? \(\d+ errors?, \d+ warnings?\)$/m,
    parse: parseEslint,
    json: { flags: ["--format=json"], conflict: /^(-f|--format|-o|--output-file)/ },
  },
];
