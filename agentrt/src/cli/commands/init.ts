import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import type { CommandSpec } from "../command.ts";
import type { ProjectFile } from "../../scaffold/index.ts";
import { readVersion } from "../read-version.ts";

/** `agentrt init`. */
export const initCommand: CommandSpec = {
  words: ["init"],
  summary: "make a new project that runs at once",
  arguments: [{ name: "name", summary: "the project's name, or a path that ends in it" }],
  flags: [{ name: "dir", short: "d", value: "directory", summary: "parent folder", default: "." }],
  examples: [
    ["agentrt init greeter", "makes ./greeter with a topology, an agent and a README"],
    [
      "agentrt init services/greeter --dir /srv",
      "makes /srv/services/greeter; missing folders are made",
    ],
    ["mkdir greeter && cd greeter && git init && agentrt init .", "fills an empty folder"],
  ],
  run: async (input, io) => {
    const { agentName, projectFiles } = await import("../../scaffold/index.ts");
    const target = resolve(io.directory, input.text("dir") ?? ".", input.argument("name"));
    const name = basename(target);
    const files = projectFiles({ name, version: readVersion() });
    await writeProject(target, files);
    const shown = relative(io.directory, target) || target;
    io.print(
      [
        `${io.style.green("✓")} Made ${shown}`,
        ...files.map((file) => `  ${file.path}`),
        "",
        "Next steps:",
        `  cd ${/^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`}`,
        "  agentrt run",
        `  agentrt call ${agentName(name)} '{"name": "Ada"}'    (in a second terminal)`,
        "",
      ].join("\n"),
    );
    return 0;
  },
};

/** Writes all files or none: it fills a draft folder next to the target and renames it to the target at the end. */
async function writeProject(target: string, files: readonly ProjectFile[]): Promise<void> {
  const { scaffoldErrors } = await import("../../scaffold/index.ts");
  if (isEmptyFolder(target)) {
    fillFolder(target, files, scaffoldErrors.WRITE_FAILED);
    return;
  }
  if (isThere(target)) throw new scaffoldErrors.TARGET_EXISTS({ path: target });
  const parent = dirname(target);
  let firstMade: string | undefined;
  let draft: string | undefined;
  try {
    firstMade = mkdirSync(parent, { recursive: true });
    const path = join(parent, `.${basename(target)}.agentrt-init-${process.pid}`);
    mkdirSync(path);
    draft = path;
    for (const file of files) writeFileSync(join(draft, file.path), file.content, { flag: "wx" });
    renameSync(draft, target);
  } catch (cause) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    if (firstMade !== undefined) rmSync(firstMade, { recursive: true, force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new scaffoldErrors.WRITE_FAILED({ path: target, reason }, { cause });
  }
}

/** A folder that a project may be written into: nothing is in it, or only a new repository. */
function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).every((name) => name === ".git");
  } catch {
    // It is not there, or no folder; what follows says so.
    return false;
  }
}

/** Writes all files into a folder that is there, or none. */
function fillFolder(
  target: string,
  files: readonly ProjectFile[],
  Failed: new (details: { path: string; reason: string }, options: ErrorOptions) => Error,
): void {
  const written: string[] = [];
  try {
    for (const file of files) {
      writeFileSync(join(target, file.path), file.content, { flag: "wx" });
      written.push(file.path);
    }
  } catch (cause) {
    for (const path of written) rmSync(join(target, path), { force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failed({ path: target, reason }, { cause });
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The way there leads through a file; making the parent folder says so.
    return false;
  }
}
