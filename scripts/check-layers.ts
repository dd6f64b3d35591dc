/**
 * Keeps the architecture: what each folder of a package may import is in `layers.json`, and this refuses the
 * rest, and cycles between files. Prints `file:line: what and why` and exits 1 on the first run with a fault.
 */
import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

interface Layer {
  readonly folders: readonly string[] | "*";
  readonly packages: readonly string[] | "*";
  readonly node: readonly string[] | "*";
}

interface Layers {
  readonly tests: Layer;
  readonly roots: { readonly [root: string]: { readonly [folder: string]: Layer } };
}

interface Import {
  readonly specifier: string;
  readonly line1: number;
  readonly isTypeOnly: boolean;
}

const repository = fileURLToPath(new URL("..", import.meta.url));
const layers = JSON.parse(readFileSync(join(repository, "layers.json"), "utf8")) as Layers;
const architecture = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");
const importPattern =
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:[\w*{][^;'"]*?from\s*)?["']([^"']+)["']|(?<!@)\bimport\(\s*["']([^"']+)["']/gm;
// Globals that would let code read the world past the `System` port, by root folder.
const clockPattern =
  /\b(?:Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|setImmediate\(|performance\.now\()/;
const clockRules: { readonly [root: string]: readonly string[] } = {
  "agentrt/src": ["core/ports/system.ts"],
};

const faults: string[] = [];

function readImports(text: string): Import[] {
  const imports: Import[] = [];
  for (const match of text.matchAll(importPattern)) {
    const specifier = match[2] ?? match[3];
    if (specifier === undefined) continue;
    const line1 = text.slice(0, match.index).split("\n").length;
    imports.push({ specifier, line1, isTypeOnly: match[1] !== undefined });
  }
  return imports;
}

function isAllowed(list: readonly string[] | "*", name: string): boolean {
  return list === "*" || list.includes(name);
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier);
}

/** Strips comments, so that a rule is not tripped by prose. Strings stay: none of ours hold clock calls. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (block) => block.replace(/[^\n]/g, " "))
    .replace(/(^|[^:])\/\/.*$/gm, "$1");
}

/** Tests hold programs as template strings, whose imports are not the test's own. */
function withoutTemplates(text: string): string {
  return text.replace(/`[^`]*`/g, (template) => template.replace(/[^\n]/g, " "));
}

/** Tests, and what tests share: `test-support` folders. */
function isOfTests(file: string): boolean {
  return file.endsWith(".test.ts") || file.includes("test-support/");
}

function checkRoot(root: string): number {
  const folders = layers.roots[root] ?? {};
  const files = globSync("**/*.ts", { cwd: join(repository, root) })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.includes("fixtures/"))
    .sort();
  const edges = new Map<string, string[]>();
  for (const file of files) {
    const absolute = join(repository, root, file);
    const where = relative(repository, absolute);
    const text = readFileSync(absolute, "utf8");
    const isTest = isOfTests(file);
    const folder = file.includes("/") ? (file.split("/")[0] ?? "") : "";
    const layer = isTest ? layers.tests : folders[folder];
    if (folder !== "" && folders[folder] === undefined) {
      faults.push(`${where}:1: folder "${folder}" has no row in layers.json`);
      continue;
    }
    checkClock(root, file, where, text, isTest);
    const targets: string[] = [];
    for (const found of readImports(
      isTest ? withoutTemplates(withoutComments(text)) : withoutComments(text),
    )) {
      const at = `${where}:${found.line1}`;
      if (found.specifier.startsWith(".")) {
        const target = relative(
          join(repository, root),
          resolve(dirname(absolute), found.specifier),
        ).replaceAll("\\", "/");
        if (target.startsWith("..")) {
          if (!isTest) faults.push(`${at}: "${found.specifier}" leaves ${root}`);
          continue;
        }
        if (!isTest && isOfTests(target)) faults.push(`${at}: "${found.specifier}" is of tests`);
        if (!found.isTypeOnly) targets.push(target);
        const targetFolder = target.includes("/") ? (target.split("/")[0] ?? "") : "";
        if (targetFolder === folder || layer === undefined) continue;
        if (!isAllowed(layer.folders, targetFolder)) {
          faults.push(
            `${at}: "${folder}" may not import "${targetFolder}" (allowed: ${list(layer.folders)})`,
          );
        }
        continue;
      }
      if (layer === undefined) continue;
      if (found.specifier.startsWith("node:")) {
        if (!isAllowed(layer.node, found.specifier)) {
          faults.push(
            `${at}: "${folder}" may not import "${found.specifier}" (allowed: ${list(layer.node)})`,
          );
        }
      } else if (builtinModules.includes(found.specifier)) {
        faults.push(`${at}: "${found.specifier}" is written "node:${found.specifier}"`);
      } else if (
        !isAllowed(layer.packages, packageName(found.specifier)) &&
        !isAllowed(isTest ? (folders[folder]?.packages ?? []) : [], packageName(found.specifier))
      ) {
        faults.push(
          `${at}: "${folder}" may not import package "${packageName(found.specifier)}" (allowed: ${list(layer.packages)})`,
        );
      }
    }
    edges.set(file, targets);
  }
  findCycles(root, edges);
  checkRows(root, files);
  return files.length;
}

/** Each folder of the table is there, and is in ARCHITECTURE.md with what it may import. */
function checkRows(root: string, files: readonly string[]): void {
  const section =
    architecture.slice(architecture.indexOf(`## ${root}\n`) + 1).split("\n## ")[0] ?? "";
  for (const [folder, layer] of Object.entries(layers.roots[root] ?? {})) {
    if (!files.some((file) => file.startsWith(`${folder}/`))) {
      faults.push(`layers.json:1: ${root}/${folder} is not there`);
    }
    const row = section.split("\n").find((line) => line.includes(`\`${folder}/\``));
    const wanted =
      layer.folders === "*"
        ? "all"
        : layer.folders.length === 0
          ? "nothing"
          : layer.folders.join(", ");
    const found = row?.split("|").at(-2)?.trim();
    if (found !== wanted) {
      faults.push(
        `ARCHITECTURE.md:1: says "${found ?? "nothing"}" of what ${root}/${folder} may import, layers.json says "${wanted}"`,
      );
    }
  }
}

function list(names: readonly string[] | "*"): string {
  return names === "*" ? "all" : names.join(", ") || "none";
}

function checkClock(
  root: string,
  file: string,
  where: string,
  text: string,
  isTest: boolean,
): void {
  const exempt = clockRules[root];
  if (
    exempt === undefined ||
    isTest ||
    exempt.includes(file) ||
    file.startsWith("cli/") ||
    file.startsWith("tui/")
  )
    return;
  withoutComments(text)
    .split("\n")
    .forEach((line, index) => {
      const match = clockPattern.exec(line);
      if (match === null || /\.\s*$/.test(line.slice(0, match.index))) return;
      faults.push(
        `${where}:${index + 1}: ${match[0]}… reads the world past the System port (core/ports/system.ts)`,
      );
    });
}

/** Depth-first search with an explicit path; each cycle is reported once, at its first file. */
function findCycles(root: string, edges: ReadonlyMap<string, readonly string[]>): void {
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      const cycle = [...path.slice(path.indexOf(file)), file];
      faults.push(`${root}/${file}:1: import cycle ${cycle.join(" -> ")}`);
      return;
    }
    state.set(file, "open");
    path.push(file);
    for (const target of edges.get(file) ?? []) visit(target);
    path.pop();
    state.set(file, "done");
  };
  for (const file of edges.keys()) visit(file);
}

let fileCount = 0;
for (const root of Object.keys(layers.roots)) fileCount += checkRoot(root);
if (fileCount === 0) faults.push("layers.json:1: no source file was found to check");
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`layers: ${fileCount} files, ${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
