import { statSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TableError, didYouMean } from "../core/index.ts";
import { type ClassTarget, readClassTarget } from "./class-target.ts";
import { isInside, realFile } from "./containment.ts";
import { pluginErrors } from "./errors.ts";
import { describeLoadFailure } from "./load-failure.ts";
import { installLoadHooks, projectImportPrefix } from "./load-hooks.ts";
import {
  findPackage,
  type InstalledPackage,
  listPackages,
  packageNameOf,
  readManifest,
} from "./packages.ts";
import { findRunningCopy, type RunningCopy } from "./running-copy.ts";

/** What kind of thing an entrypoint names. */
export type EntrypointGroup = "agents" | "models" | "exporters" | "state";

/** What a loader is made from. */
export interface TypeLoaderOptions {
  /** The folder of the topology file; paths count from here and never leave it. */
  readonly projectRoot: string;
  /** Classes by the text that is in `type:`; looked up before anything else. */
  readonly typeMap?: { readonly [type: string]: unknown };
  /** Where imports of this package lead; by default to the copy that is running. */
  readonly runningCopy?: RunningCopy;
}

/** Loads the classes that a topology names. */
export interface TypeLoader {
  /**
   * Loads one class. The same text gives the same class.
   *
   * @param type Any form of `type:`.
   * @param options.group Whose entrypoints a short name is looked up in; default `agents`.
   * @returns The class; the caller checks what it extends.
   * @throws AGENTRT_PLUGIN_*: one line that names the text, the file with line, and the nearest name where there is one.
   */
  readonly load: (type: string, options?: { readonly group?: EntrypointGroup }) => Promise<unknown>;
  /**
   * Loads one function, such as the workload of a simulation.
   *
   * @param type A module and an export, as for classes.
   * @returns The function.
   * @throws AGENTRT_PLUGIN_*.
   */
  readonly loadFunction: (type: string) => Promise<(...parameters: never[]) => unknown>;
  /**
   * Says how a class is named in `type:`.
   *
   * @param value A class of the type map, or one that a module exports that was loaded from the project.
   * @returns The text; undefined for any other value.
   */
  readonly typeOf: (value: unknown) => string | undefined;
  /** Takes the loading hooks away; classes that were loaded stay usable. Twice is harmless. */
  readonly uninstall: () => void;
}

/**
 * Makes a loader for the user code of one project, and installs the hooks that let this process run its TypeScript.
 *
 * @param options Project folder and type map.
 * @returns The loader; call `uninstall()` when nothing more will be imported.
 * @throws AGENTRT_PLUGIN_MODULE_MISSING when the folder is not there.
 */
export function createTypeLoader(options: TypeLoaderOptions): TypeLoader {
  if (statSync(options.projectRoot, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new pluginErrors.MODULE_MISSING({
      type: options.projectRoot,
      looked: "such folder",
      hint: "",
    });
  const projectRoot = realpathSync(options.projectRoot);
  const runningCopy = options.runningCopy ?? findRunningCopy();
  let remove: (() => void) | undefined = installLoadHooks({ projectRoot, runningCopy });
  const typeMap = options.typeMap ?? {};
  const modules: LoadedModules = new Map();
  return {
    load: async (type, { group = "agents" } = {}) => {
      if (Object.hasOwn(typeMap, type)) return requireClass(type, typeMap[type]);
      const typeNames = Object.keys(typeMap);
      const loading = { type, group, projectRoot, typeNames, modules };
      return requireClass(type, await loadTarget(readClassTarget(type), loading));
    },
    loadFunction: async (type) => {
      const loading = { type, group: "agents" as const, projectRoot, typeNames: [], modules };
      return requireFunction(type, await loadTarget(readClassTarget(type), loading));
    },
    typeOf: (value) => {
      const [known] = Object.entries(typeMap).find(([, each]) => each === value) ?? [];
      return known ?? exportOf(value, modules);
    },
    uninstall: () => {
      remove?.();
      remove = undefined;
    },
  };
}

interface Loading {
  readonly type: string;
  readonly group: EntrypointGroup;
  readonly projectRoot: string;
  readonly typeNames: readonly string[];
  readonly modules: LoadedModules;
}

/** What modules of the project export, by their paths in `type:`. */
type LoadedModules = Map<string, { readonly [name: string]: unknown }>;

function exportOf(value: unknown, modules: LoadedModules): string | undefined {
  for (const [path, exported] of modules)
    for (const [name, each] of Object.entries(exported))
      if (each === value && name !== "default") return `${path}#${name}`;
  return undefined;
}

async function loadTarget(target: ClassTarget, loading: Loading): Promise<unknown> {
  const { type, projectRoot } = loading;
  switch (target.kind) {
    case "file": {
      const path = findFile(target.paths, {
        type,
        root: projectRoot,
        rootName: `the project's folder ${projectRoot}`,
      });
      return await importExport(path, target.exported, loading);
    }
    case "package":
      return await loadFromPackage(target, loading);
    case "name":
      return await loadEntrypoint(target.name, loading);
    default:
      return target satisfies never;
  }
}

/** Finds the first of some files, and refuses one that a link or `..` takes out of the folder. */
function findFile(
  paths: readonly string[],
  { type, root, rootName }: { type: string; root: string; rootName: string },
): string {
  for (const path of paths) {
    const absolute = join(root, path);
    if (!isInside(root, absolute))
      throw new pluginErrors.OUTSIDE_PROJECT({ type, path, root: rootName });
    const real = realFile(absolute);
    if (real === undefined) continue;
    if (!isInside(root, real))
      throw new pluginErrors.OUTSIDE_PROJECT({ type, path, root: rootName });
    return real;
  }
  const looked =
    paths.length === 1 ? `file ${paths[0] ?? ""}` : `file ${paths[0] ?? ""} (or .mts, .js, .mjs)`;
  throw new pluginErrors.MODULE_MISSING({ type, looked: `${looked} in ${rootName}`, hint: "" });
}

async function loadFromPackage(
  target: Extract<ClassTarget, { kind: "package" }>,
  loading: Loading,
): Promise<unknown> {
  const { type, projectRoot } = loading;
  const installed = findPackage(projectRoot, packageNameOf(target.specifier));
  if (installed === undefined) {
    const isFile = realFile(join(projectRoot, target.specifier)) !== undefined;
    const hint = isFile ? `; did you mean "./${type}"?` : "";
    throw new pluginErrors.MODULE_MISSING({
      type,
      looked: `installed package ${packageNameOf(target.specifier)}`,
      hint,
    });
  }
  const path = await resolveInPackage(target.specifier, installed, loading);
  return await importExport(path, target.exported, loading);
}

/** Lets Node resolve the import, `exports` of the package included, and checks where it led. */
async function resolveInPackage(
  specifier: string,
  installed: InstalledPackage,
  { type, projectRoot }: Loading,
): Promise<string> {
  let url: string;
  try {
    url = import.meta.resolve(`${projectImportPrefix}${projectRoot}#${specifier}`);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    throw new pluginErrors.MODULE_FAILED({ type, place: specifier, reason }, { cause: error });
  }
  const real = url.startsWith("file:") ? realFile(fileURLToPath(url)) : undefined;
  if (real === undefined)
    throw new pluginErrors.MODULE_MISSING({ type, looked: `file for ${specifier}`, hint: "" });
  if (!isInside(installed.folder, real))
    throw new pluginErrors.OUTSIDE_PROJECT({ type, path: real, root: `package ${installed.name}` });
  return real;
}

async function loadEntrypoint(name: string, loading: Loading): Promise<unknown> {
  const { type, group, projectRoot, typeNames } = loading;
  const known = new Set(typeNames);
  const found: { installed: InstalledPackage; target: string }[] = [];
  for (const installed of listPackages(projectRoot)) {
    const names = readManifest(installed.folder)?.entrypoints.get(group);
    for (const each of names?.keys() ?? []) known.add(each);
    const target = names?.get(name);
    if (target !== undefined) found.push({ installed, target });
  }
  const [first, ...others] = found;
  if (first === undefined)
    throw new pluginErrors.UNKNOWN_NAME({ type, hint: didYouMean(name, known) });
  if (others.length > 0)
    throw new pluginErrors.AMBIGUOUS_NAME({
      type,
      packages: found.map(({ installed }) => installed.name).join(", "),
    });
  const [file = "", exported = ""] = first.target.split("#", 2);
  if (!file.startsWith("./") || exported === "")
    throw new pluginErrors.BAD_TYPE({
      type,
      reason: `package ${first.installed.name} says "${first.target}", wanted ./file.js#Export`,
    });
  const path = findFile([file], {
    type,
    root: first.installed.folder,
    rootName: `package ${first.installed.name}`,
  });
  return await importExport(path, exported, loading);
}

async function importExport(
  path: string,
  exported: string,
  { type, projectRoot, modules }: Loading,
): Promise<unknown> {
  const isOfProject = isInside(projectRoot, path);
  const shown = isOfProject ? `./${relative(projectRoot, path).replaceAll("\\", "/")}` : path;
  let namespace: { readonly [name: string]: unknown };
  try {
    namespace = (await import(pathToFileURL(path).href)) as { readonly [name: string]: unknown };
  } catch (cause) {
    if (cause instanceof TableError) throw cause;
    throw new pluginErrors.MODULE_FAILED({ type, ...describeLoadFailure(cause, path) }, { cause });
  }
  if (isOfProject) modules.set(shown, namespace);
  if (Object.hasOwn(namespace, exported)) return namespace[exported];
  // What a CommonJS package exports without Node seeing its names stands under `default`.
  const commonJs = namespace["default"];
  if (typeof commonJs === "object" && commonJs !== null && Object.hasOwn(commonJs, exported))
    return (commonJs as { readonly [name: string]: unknown })[exported];
  const names = Object.keys(namespace).filter(
    (name) => name !== "default" && name !== "module.exports",
  );
  const nothing = commonJs === undefined ? "it exports nothing" : "its only export is the default";
  const hint =
    didYouMean(exported, names) ||
    `; ${names.length === 0 ? nothing : `it exports ${names.slice(0, 10).join(", ")}`}`;
  throw new pluginErrors.EXPORT_MISSING({ type, module: shown, exported, hint });
}

function requireClass(type: string, value: unknown): unknown {
  if (typeof value === "function" && Object.hasOwn(value, "prototype") && isClass(value))
    return value;
  throw new pluginErrors.NOT_A_CLASS({ type, found: kindOf(value) });
}

function requireFunction(type: string, value: unknown): (...parameters: never[]) => unknown {
  if (typeof value === "function" && !isClass(value))
    return value as (...parameters: never[]) => unknown;
  const found = typeof value === "function" ? "a class" : kindOf(value);
  throw new pluginErrors.NOT_A_FUNCTION({ type, found });
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "function" ? "a function" : `a value of type ${typeof value}`;
}

/** A class cannot be called, and says so in its source text; a constructor function has methods on its prototype. */
function isClass(value: object): boolean {
  if (/^class\b/.test(Function.prototype.toString.call(value))) return true;
  const { prototype } = value as { readonly prototype: unknown };
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    Object.getOwnPropertyNames(prototype).length > 1
  );
}
