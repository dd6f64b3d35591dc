import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../test-files.ts";
import type { NativeLibrary } from "./build-executable.ts";
import { lockedPackage, packageFolder } from "./locked-package.ts";
import type { Target } from "./targets.ts";

/** An npm package that is in an executable, whole or in part. */
export interface EmbeddedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX, as the package says. */
  readonly license: string;
  /** SHA-512 of its tarball, hexadecimal. */
  readonly sha512: string;
  /** The texts of its licence; empty where the package brings none. */
  readonly licenseTexts: readonly string[];
}

const zigPackage = "@tree-sitter-grammars/tree-sitter-zig";

/**
 * Lists the npm packages whose code is in an executable: those that the compiler bundled, those of the native libraries, and
 * the runtime's.
 *
 * @param metafile The compiler's list of its inputs.
 */
export function embeddedPackages(
  metafile: string,
  { target, libraries }: { readonly target: Target; readonly libraries: readonly NativeLibrary[] },
): readonly EmbeddedPackage[] {
  const { inputs } = JSON.parse(readFileSync(metafile, "utf8")) as {
    readonly inputs: { readonly [path: string]: unknown };
  };
  const bundled = Object.keys(inputs).flatMap((path) => {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
    return name === undefined ? [] : [name];
  });
  const grammars = libraries.flatMap(({ key }) => {
    if (key === "binding") return [];
    return [key === "zig" ? zigPackage : `@ast-grep/lang-${key}`];
  });
  const names = [...bundled, ...grammars, target.parserPackage, target.runtimePackage];
  return [...new Set(names)].sort().map(describe);
}

function describe(name: string): EmbeddedPackage {
  const folder = packageFolder(name);
  const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly license?: string;
  };
  if (license === undefined) throw new Error(`the package "${name}" does not say its licence`);
  const { version, integrity } = lockedPackage(name);
  const sha512 = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return { name, version, license, sha512, licenseTexts: textsOf(licensed(name, folder)) };
}

/** A package for one platform leaves its texts to the package that it belongs to. */
function licensed(name: string, folder: string): string {
  const whole = join(root, "node_modules", "@ast-grep", "napi");
  return name.startsWith("@ast-grep/napi-") && existsSync(whole) ? whole : folder;
}

function textsOf(folder: string): string[] {
  return globSync("{LICEN[SC]E,licen[sc]e,COPYING,NOTICE}*", { cwd: folder })
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8").trim());
}
