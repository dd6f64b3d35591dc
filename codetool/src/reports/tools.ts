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
];
