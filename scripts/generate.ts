/** Writes the committed generated files; with `--check`, refuses when one differs from what would be written. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createTopologySchema } from "../agentrt/src/node-kinds/topology-schema.ts";
import { renderConsoleFile } from "./bundle-console.ts";
import { renderConformancePage } from "./conformance/render.ts";
import { renderCodetoolReference, renderManPage } from "./generate-codetool-reference.ts";
import { renderErrorsPage } from "./generate-errors.ts";
import { renderRunToolsPage } from "./generate-run-tools.ts";
import { renderTokenEconomyPage, renderTokenEconomySummary } from "../lab/token-economy/render.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));

const renderTopologySchema = async (): Promise<string> =>
  `${JSON.stringify(createTopologySchema(), null, 2)}\n`;

const renderConformance = (): Promise<string> => Promise.resolve(renderConformancePage());

const renderTokenEconomy = (): Promise<string> => Promise.resolve(renderTokenEconomySummary());

const renderTokenEconomyLab = (): Promise<string> => Promise.resolve(renderTokenEconomyPage());

const renderRunTools = (): Promise<string> => Promise.resolve(renderRunToolsPage());

/** The launchers of both packages differ only in the name: the second is written from the first. */
const renderLauncher = (): Promise<string> => {
  const first = readFileSync(join(repository, "agentrt/bin/agentrt.cjs"), "utf8");
  return Promise.resolve(first.replaceAll("agentrt", "codetool").replaceAll("AGENTRT", "CODETOOL"));
};

const generators: readonly { readonly path: string; readonly render: () => Promise<string> }[] = [
  { path: "agentrt/docs/errors.md", render: () => renderErrorsPage("agentrt") },
  { path: "codetool/docs/errors.md", render: () => renderErrorsPage("codetool") },
  { path: "codetool/bin/codetool.cjs", render: renderLauncher },
  { path: "docs/reference/conformance.md", render: renderConformance },
  { path: "docs/reference/token-economy.md", render: renderTokenEconomy },
  { path: "lab/results/token-economy.md", render: renderTokenEconomyLab },
  { path: "docs/reference/codetool.md", render: () => Promise.resolve(renderCodetoolReference()) },
  { path: "codetool/man/codetool.1", render: () => Promise.resolve(renderManPage()) },
  { path: "codetool/docs/run-tools.md", render: renderRunTools },
  { path: "docs/reference/topology.schema.json", render: renderTopologySchema },
  {
    path: "agentrt/assets/console/console.js",
    render: async () => await renderConsoleFile("console.js"),
  },
  {
    path: "agentrt/assets/console/console.css",
    render: async () => await renderConsoleFile("console.css"),
  },
];

let staleCount = 0;
for (const generator of generators) {
  const path = join(repository, generator.path);
  const wanted = await generator.render();
  const found = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (found === wanted) continue;
  if (process.argv.includes("--check")) {
    staleCount += 1;
    process.stdout.write(
      `${generator.path}:1: is not what its source gives: run \`npm run gen\`\n`,
    );
  } else {
    writeFileSync(path, wanted);
    process.stdout.write(`wrote ${generator.path}\n`);
  }
}
process.exitCode = staleCount === 0 ? 0 : 1;
