import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

/** What a tool says of a tree. */
export interface Judgement {
  /** `from > to`, relative paths; folders end with a slash. */
  readonly edges: ReadonlySet<string>;
  readonly isByFolder: boolean;
  /** The edges lead from a root to all that it needs, over others too. */
  readonly isTransitive?: boolean;
  /** Says whether the judge had the say about an edge: its file was looked at. */
  readonly hasAllOf: (edge: string) => boolean;
}

type Judge = (folder: string) => Judgement;

function output(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  if (result.error !== undefined) throw result.error;
  return `${result.stdout}\n${result.stderr}`;
}

/** Edges between files below a folder. */
class Edges {
  readonly edges = new Set<string>();
  readonly #root: string;
  readonly #asked = new Set<string>();

  constructor(folder: string) {
    this.#root = realpathSync(folder);
  }

  pathOf(path: string, base = this.#root): string | null {
    const full = resolve(base, path);
    if (!existsSync(full)) return null;
    const inner = relative(this.#root, realpathSync(full));
    return inner.startsWith("..") || inner.includes("node_modules/") ? null : inner;
  }

  add(from: string | null, to: string | null): void {
    if (from === null) return;
    this.#asked.add(from);
    if (to !== null && to !== from) this.edges.add(`${from} > ${to}`);
  }

  judgement(isByFolder = false): Judgement {
    const hasAllOf = (edge: string): boolean => this.#asked.has(edge.split(" > ")[0] ?? "");
    return { edges: this.edges, isByFolder, hasAllOf };
  }
}

/** `tsc --traceResolution`: every module name of every file of the project. */
function tsc(folder: string): Judgement {
  const edges = new Edges(folder);
  const binary = resolve(import.meta.dirname, "../../../node_modules/.bin/tsc");
  let from = "";
  for (const line of output(binary, ["-p", ".", "--noEmit", "--traceResolution"], folder).split(
    "\n",
  )) {
    const asked = /^=+ Resolving module '.*' from '(.*)'\. =+$/.exec(line)?.[1];
    if (asked !== undefined) from = asked;
    const found = /^=+ Module name '.*' was successfully resolved to '([^']*)'/.exec(line)?.[1];
    if (found !== undefined) edges.add(edges.pathOf(from), edges.pathOf(found));
  }
  return edges.judgement();
}

/** Python's `modulefinder` with the folder, and its `src`, as the path of search. */
function modulefinder(folder: string): Judgement {
  const edges = new Edges(folder);
  const script = join(import.meta.dirname, "module-edges.py");
  for (const line of output("python3", [script, "."], folder).split("\n")) {
    const [from, to] = line.split("\t");
    if (from === undefined || to === undefined) continue;
    edges.add(edges.pathOf(from), to === "" ? null : edges.pathOf(to));
  }
  return edges.judgement();
}

interface GoPackage {
  readonly Dir: string;
  readonly ImportPath: string;
  readonly Imports?: readonly string[];
  readonly TestImports?: readonly string[];
  readonly XTestImports?: readonly string[];
  readonly ImportMap?: { readonly [path: string]: string };
}

/** `go list -json`: the folders of packages. */
function go(folder: string): Judgement {
  const edges = new Edges(folder);
  const listed = output("go", ["list", "-e", "-json", "./..."], folder);
  const text = listed.slice(0, listed.lastIndexOf("\n}") + 2);
  const packages = JSON.parse(`[${text.replace(/^\}\n\{/gm, "},\n{")}]`) as readonly GoPackage[];
  const folders = new Map(packages.map(({ ImportPath, Dir }) => [ImportPath, Dir]));
  for (const each of packages) {
    const from = edges.pathOf(each.Dir);
    const { Imports = [], TestImports = [], XTestImports = [], ImportMap = {} } = each;
    edges.add(from === null ? null : `${from}/`, null);
    for (const path of [...Imports, ...TestImports, ...XTestImports]) {
      const target = folders.get(ImportMap[path] ?? path);
      const to = target === undefined ? null : edges.pathOf(target);
      if (from !== null && to !== null) edges.add(`${from}/`, `${to}/`);
    }
  }
  return edges.judgement(true);
}

/** `gcc -H`: what each file opened, for the branches of this machine; nothing is known of what was opened before. */
function gcc(folder: string): Judgement {
  const edges = new Edges(folder);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const folders = [...new Set(names.filter((name) => /\.(?:h|hpp)$/.test(name)).map(dirname))];
  const include = folders.flatMap((each) => [`-I${each}`, `-I${dirname(each)}`]);
  for (const name of names.filter((each) => /\.(?:c|cc|cpp)$/.test(each))) {
    const args = ["-H", "-E", "-o", "/dev/null", ...new Set(include), name];
    const stack = [name];
    for (const line of output("gcc", args, folder).split("\n")) {
      const [, dots, path] = /^(\.+) (.+)$/.exec(line) ?? [];
      if (dots === undefined || path === undefined) continue;
      stack.length = dots.length;
      edges.add(edges.pathOf(stack.at(-1) ?? ""), edges.pathOf(path));
      stack.push(path);
    }
  }
  return edges.judgement();
}

/** `rustc --emit dep-info`: the files of a crate, each an edge from its root. */
function rustc(folder: string): Judgement {
  const edges = new Edges(folder);
  const root = ["src/lib.rs", "src/main.rs"].find((path) => existsSync(join(folder, path)));
  const scratch = mkdtempSync(join(tmpdir(), "check-imports-"));
  const out = join(scratch, "crate.d");
  const manifest = readFileSync(join(folder, "Cargo.toml"), "utf8");
  const features = /^\[features\]$([^]*?)(?:^\[|(?![^]))/m.exec(manifest)?.[1] ?? "";
  const switches = [...features.matchAll(/^"?([\w-]+)"?\s*=/gm)].flatMap(([, name = ""]) => [
    "--cfg",
    `feature="${name}"`,
  ]);
  const args = ["--edition", "2021", "--emit", `dep-info=${out}`, "--crate-name", "x", ...switches];
  output("rustc", [...args, root ?? "src/lib.rs"], folder);
  for (const path of existsSync(out) ? output("cat", [out], folder).split(/\s+/) : []) {
    if (!path.endsWith(".rs")) continue;
    edges.add(root ?? null, edges.pathOf(path));
  }
  rmSync(scratch, { recursive: true });
  return { ...edges.judgement(), isTransitive: true };
}

/** `jdeps` over the compiled main sources: which class uses which, also those nobody names. */
function jdeps(folder: string): Judgement {
  const edges = new Edges(folder);
  const base = existsSync(join(folder, "src/main/java")) ? "src/main/java" : ".";
  const sources = readdirSync(join(folder, base), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".java") && !/(?:module|package)-info/.test(name))
    .map((name) => join(base, name));
  const scratch = mkdtempSync(join(tmpdir(), "check-imports-"));
  output("javac", ["-nowarn", "-proc:none", "-d", scratch, ...sources], folder);
  const fileOf = (name: string): string | null => {
    const path = join(base, `${name.replace(/\$.*$/, "").replaceAll(".", "/")}.java`);
    return edges.pathOf(path);
  };
  for (const line of output("jdeps", ["-verbose:class", "-filter:none", scratch], folder).split(
    "\n",
  )) {
    const arrow = /^\s+(?:->\s+)?([\w.$]+)\s+->\s+([\w.$]+)/.exec(line);
    if (arrow !== null) edges.add(fileOf(arrow[1] ?? ""), fileOf(arrow[2] ?? ""));
  }
  rmSync(scratch, { recursive: true });
  return edges.judgement();
}

/** The tools that say what imports mean, by name. */
export const judges: { readonly [name: string]: Judge } = {
  tsc,
  modulefinder,
  go,
  gcc,
  rustc,
  jdeps,
};
