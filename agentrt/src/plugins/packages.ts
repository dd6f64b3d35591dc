import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package on disk. */
export interface InstalledPackage {
  readonly name: string;
  /** Its real folder. */
  readonly folder: string;
}

/** What `package.json` says that matters here. */
export interface PackageManifest {
  readonly name?: string;
  readonly dependencies: readonly string[];
  /** Entrypoints by group and name, for example `{ agents: { clerk: "./clerk.js#Clerk" } }`. */
  readonly entrypoints: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Most packages of one `node_modules` that are searched for entrypoints. */
const packageCountMax = 5000;
const manifestSizeBytesMax = 4_194_304;

/**
 * Names the package of an import.
 *
 * @param specifier For example `@acme/agents/sub`.
 * @returns For example `@acme/agents`.
 */
export function packageNameOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/**
 * Finds an installed package the way Node does: in the `node_modules` of a folder, then of those above it.
 *
 * @param folder Where to begin, a real path.
 * @param name The package's name.
 * @returns The package, or `undefined`.
 */
export function findPackage(folder: string, name: string): InstalledPackage | undefined {
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, "node_modules", name);
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory() === true)
      return { name, folder: realpathSync(candidate) };
    if (dirname(current) === current) return undefined;
  }
}

/**
 * Reads the manifest of a package.
 *
 * @param folder The package's folder.
 * @returns The manifest, or `undefined` when there is none that is JSON.
 */
export function readManifest(folder: string): PackageManifest | undefined {
  const path = join(folder, "package.json");
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() !== true || status.size > manifestSizeBytesMax) return undefined;
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
  const name = field(manifest, "name");
  return {
    ...(typeof name === "string" ? { name } : {}),
    dependencies: ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]
      .flatMap((key) => Object.keys(objectOf(field(manifest, key))))
      .sort(),
    entrypoints: new Map(
      Object.entries(objectOf(field(manifest, "agentrt"))).map(([group, names]) => [
        group,
        new Map(
          Object.entries(objectOf(names)).flatMap(([short, target]) =>
            typeof target === "string" ? [[short, target] as const] : [],
          ),
        ),
      ]),
    ),
  };
}

/**
 * Lists the packages whose entrypoints a project sees: itself, what lies in its own `node_modules`, and what its manifest
 * depends on, wherever that is installed.
 *
 * @param folder The project's real folder.
 * @returns The packages, each once.
 */
export function listPackages(folder: string): InstalledPackage[] {
  const own = readManifest(folder);
  const found = new Map<string, InstalledPackage>();
  if (own !== undefined) found.set(folder, { name: own.name ?? "this project", folder });
  for (const name of [
    ...installedNames(join(folder, "node_modules")),
    ...(own?.dependencies ?? []),
  ]) {
    const installed = findPackage(folder, name);
    if (installed !== undefined) found.set(installed.folder, installed);
  }
  return [...found.values()];
}

function installedNames(folder: string): string[] {
  const names = foldersOf(folder).flatMap((name) =>
    name.startsWith("@")
      ? foldersOf(join(folder, name)).map((inner) => `${name}/${inner}`)
      : [name],
  );
  return names.slice(0, packageCountMax);
}

function foldersOf(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort();
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as { [key: string]: unknown })[key]
    : undefined;
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
