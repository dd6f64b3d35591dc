import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Of a larger manifest only the beginning is read. */
const manifestCharactersMax = 1024 * 1024;
/** Manifests of one kind that are read at most. */
const manifestCountMax = 5000;

/** A package or module, and where it is. */
interface PackageFolder {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
}

/**
 * Finds the folders of packages and modules of a tree by the names that tools print: of packages of Go, workspaces of npm, modules
 * of Maven and projects of Gradle. Each kind of manifest is read when a name is first looked for in it.
 */
export class PackageFolders {
  readonly #root: string;
  readonly #pathsOf: (name: string) => readonly string[];
  readonly #known = new Map<string, readonly PackageFolder[]>();

  /**
   * @param root The root of the tree, absolute.
   * @param pathsOf Gives the files of the tree with a last name, as paths from its root.
   */
  constructor(root: string, pathsOf: (name: string) => readonly string[]) {
    this.#root = root;
    this.#pathsOf = pathsOf;
  }

  /** The folders that a name may mean, absolute, the likeliest first. */
  foldersOf(name: string): readonly string[] {
    return [...this.#goFolders(name), ...this.#namedFolders(name), ...this.#gradleFolders(name)];
  }

  #goFolders(printed: string): readonly string[] {
    const name = printed.replace(/_test$|\.test$/, "");
    return this.#packagesOf("go.mod", moduleNameIn)
      .filter((module) => name === module.name || name.startsWith(`${module.name}/`))
      .toSorted((one, other) => other.name.length - one.name.length)
      .map((module) => join(module.folder, name.slice(module.name.length)));
  }

  #namedFolders(name: string): readonly string[] {
    const packages = [
      ...this.#packagesOf("package.json", packageNameIn),
      ...this.#packagesOf("pom.xml", artifactIn),
    ];
    // pnpm names a package by its folder.
    const written = join(this.#root, name);
    return packages
      .filter((each) => each.name === name || each.folder === written)
      .map(({ folder }) => folder);
  }

  /** `:web:api` is in `web/api`, unless the settings say something else. */
  #gradleFolders(name: string): readonly string[] {
    if (!name.startsWith(":")) return [];
    return ["settings.gradle", "settings.gradle.kts"]
      .flatMap((settings) => this.#pathsOf(settings))
      .map((path) => join(this.#root, dirname(path), ...name.split(":")))
      .filter((folder) => existsSync(folder));
  }

  #packagesOf(
    manifest: string,
    nameIn: (text: string) => string | undefined,
  ): readonly PackageFolder[] {
    let packages = this.#known.get(manifest);
    if (packages === undefined) {
      packages = this.#pathsOf(manifest)
        .filter((path) => !/(?:^|\/)node_modules\//.test(path))
        .slice(0, manifestCountMax)
        .flatMap((path) => {
          const absolutePath = join(this.#root, path);
          const name = nameIn(textOf(absolutePath));
          return name === undefined ? [] : [{ name, folder: dirname(absolutePath) }];
        });
      this.#known.set(manifest, packages);
    }
    return packages;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, manifestCharactersMax);
  } catch {
    // It may not be read: its package stays without a folder.
    return "";
  }
}

function moduleNameIn(text: string): string | undefined {
  return /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
}

function packageNameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { readonly name?: unknown };
    return typeof name === "string" ? name : undefined;
  } catch {
    // npm itself says what is wrong with it.
    return undefined;
  }
}

function artifactIn(text: string): string | undefined {
  const own = text.replace(/<!--[^]*?-->|<parent>[^]*?<\/parent>/g, "");
  return /<artifactId>\s*([^<\s]+)\s*<\/artifactId>/.exec(own)?.[1];
}
