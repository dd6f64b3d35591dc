import { type Tool, toolFamilies } from "../codetool/src/reports/tool.ts";
import { tools } from "../codetool/src/reports/tools.ts";

const headings: { readonly [family in Tool["family"]]: string } = {
  tests: "Test runners",
  build: "Builders and compilers",
  lint: "Linters and type checkers",
  coverage: "Coverage",
  infrastructure: "Infrastructure",
};

/** Writes `codetool/docs/run-tools.md` from the table of tools whose output `codetool run` reads. */
export function renderRunToolsPage(): string {
  const sections = toolFamilies.flatMap((family) => {
    const own = tools.filter((tool) => tool.family === family);
    return own.length === 0
      ? []
      : [
          `## ${headings[family]}`,
          "",
          "| tool | `tool` in the answer | commands | `--auto-json` adds | known by its output |",
          "|---|---|---|---|---|",
          ...own.map(rowOf),
          "",
        ];
  });
  return [
    "# Tools that `codetool run` reads",
    "",
    "Generated from the table in `codetool/src/reports/`; what it is for is in",
    "[the guide](guides/running-tools.md).",
    "",
    ...sections,
  ].join("\n");
}

function rowOf({ title, id, commands, json, signature, isMeant }: Tool): string {
  const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");
  const narrowed = isMeant === undefined ? "" : ", by their arguments";
  const only = json?.commands;
  const hasAll = only === undefined || only.length === commands.length;
  const flags =
    json === undefined ? "–" : `\`${json.flags.join(" ")}\`${hasAll ? "" : ` to ${code(only)}`}`;
  const isKnown = signature === undefined ? "–" : "yes";
  return `| ${title} | \`${id}\` | ${code(commands)}${narrowed} | ${flags} | ${isKnown} |`;
}
