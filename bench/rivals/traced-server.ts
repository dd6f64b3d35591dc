/** `node traced-server.ts none|tenth|all`: serves `POST /agents/echo` and prints `port <number>`; so many of its traces are recorded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { SqliteExporter } from "agentrt/telemetry";
import { serveAgentrt } from "./agentrt-gateway.ts";

const ratios: { readonly [name: string]: number } = { none: 0, tenth: 0.1, all: 1 };
const name = process.argv[2] ?? "";
const ratio = ratios[name];
if (ratio === undefined) throw new Error("usage: traced-server.ts none|tenth|all");
const directory = mkdtempSync(join(tmpdir(), "agentrt-traced-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
const tracing =
  name === "none" ? {} : { exporters: [new SqliteExporter({ directory })], sampling: { ratio } };
process.stdout.write(`port ${await serveAgentrt({}, tracing)}\n`);
