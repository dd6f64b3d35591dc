/**
 * Draws the pictures of agentrt's views from the running example: `node --conditions=agentrt-source lab/screens.ts` starts `examples/triage`, lets customers
 * ask for a while, and writes `docs/dashboard.svg`, `docs/telemetry.svg` (both from a real terminal, by tmux) and
 * `docs/console.png` (from Chromium). Run it when a view has changed, and look at what it wrote.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import {
  agentrtLauncher,
  commandPath,
  createTemporaryFolder,
  freePort,
  openTerminal,
  startProgram,
} from "testkit";
import { drawScreen } from "./draw-screen.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const example = join(repository, "examples", "triage");
const [columns, rows] = [132, 34];
/** How long customers ask before each picture is drawn, ms. */
const askedMs = 20_000;

/** What customers write; some of it is about money. */
const texts = ["My parcel is lost", "I was charged twice", "Any news?", "The invoice is wrong"];

async function ask(port: number, ending: AbortSignal): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": "first-key" };
  const customer = async (number: number): Promise<void> => {
    for (let turn = number; !ending.aborted; turn += 1) {
      const body = JSON.stringify({ text: texts[turn % texts.length] });
      const path = turn % 3 === 0 ? "read" : `tickets/${4700 + number}`;
      const url = `http://127.0.0.1:${port}/${path}`;
      await (await fetch(url, { method: "POST", headers, body })).text();
      await setTimeout(300);
    }
  };
  await Promise.all(Array.from({ length: 12 }, async (_, number) => await customer(number)));
}

/** Draws what a command shows in a terminal once its screen says that it is there. */
async function drawCommand(
  name: string,
  view: {
    readonly command: string;
    readonly keys: readonly string[];
    readonly isThere: RegExp;
    readonly until: () => Promise<unknown>;
  },
): Promise<void> {
  using terminal = openTerminal(`clear; ${view.command}`, { columns, rows });
  await terminal.waitFor(view.isThere);
  for (const key of view.keys) terminal.type(key);
  await view.until();
  const lines = terminal.tmux("capture-pane", "-e", "-p", "-t", "main").split("\n").slice(0, rows);
  writeFileSync(join(repository, "docs", `${name}.svg`), drawScreen(name, lines, columns));
  process.stdout.write(`wrote docs/${name}.svg\n`);
}

const [port, grpcPort, controlPort] = [await freePort(), await freePort(), await freePort()];
const topology = join(example, ".topology-triage.yaml");
const text = readFileSync(join(example, "topology.yaml"), "utf8")
  .replace("port: 8080", `port: ${port}`)
  .replace("port: 8081", `port: ${grpcPort}`)
  .replace("port: 6789", `port: ${controlPort}`)
  .replace("plugins:\n", "plugins:\n  exporters:\n    - { type: sqlite }\n");
writeFileSync(topology, text);
using folder = createTemporaryFolder();
try {
  const environment = {
    AGENTRT_GATEWAY_API_KEYS: "first-key",
    AGENTRT_STATE_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  await using service = startProgram(process.execPath, [agentrtLauncher(), "run", topology], {
    workingDirectory: folder.path,
    environment,
    timeoutMs: 300_000,
  });
  await service.waitFor(/started; Ctrl\+C stops/);
  const agentrt = `cd '${folder.path}'; '${process.execPath}' '${agentrtLauncher()}'`;
  const ending = new AbortController();
  const asking = ask(port, ending.signal);
  await drawCommand("dashboard", {
    command: `${agentrt} dashboard '${topology}'`,
    // To the writer, which has most to do.
    keys: ["Down", "Down", "Down", "Down", "Down"],
    isThere: /writer/,
    until: async () => await setTimeout(askedMs),
  });
  await drawCommand("telemetry", {
    command: `${agentrt} telemetry`,
    keys: ["h"],
    isThere: /writer/,
    until: async () => await setTimeout(2000),
  });
  const executablePath = commandPath("chromium") ?? "";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`http://127.0.0.1:${controlPort}/console`);
    await page.getByRole("link", { name: "writer", exact: true }).click();
    await page.getByText("Logs", { exact: true }).waitFor();
    await setTimeout(askedMs);
    await page.screenshot({ path: join(repository, "docs", "console.png") });
  } finally {
    await browser.close();
  }
  process.stdout.write("wrote docs/console.png\n");
  ending.abort();
  await asking;
  service.kill("SIGTERM");
} finally {
  rmSync(topology);
}
