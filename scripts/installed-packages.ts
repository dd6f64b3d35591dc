/** The packed packages in a project outside of this repository, as npm installs them. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { createTemporaryFolder, runProgram, type TemporaryFolder } from "testkit";
import { publishedPackages } from "./bundle-package.ts";
import { root } from "./test-files.ts";

const timeoutMs = 200_000;

/**
 * Packs the packages and installs the tarballs into a new folder, which takes half a minute.
 *
 * @throws AssertionError with what npm printed.
 */
export async function installPackages(): Promise<TemporaryFolder> {
  const folder = createTemporaryFolder({
    "package.json": JSON.stringify({ name: "reader", private: true, type: "module" }),
  });
  try {
    const npm = async (workingDirectory: string, ...words: string[]): Promise<void> => {
      const exit = await runProgram("npm", words, { workingDirectory, timeoutMs });
      assert.equal(exit.code, 0, exit.stdout + exit.stderr);
    };
    const workspaces = publishedPackages.flatMap((name) => ["-w", name]);
    await npm(root, "pack", ...workspaces, "--pack-destination", folder.path);
    const tarballs = globSync("*.tgz", { cwd: folder.path }).sort();
    assert.equal(tarballs.length, publishedPackages.length, tarballs.join(", "));
    const files = tarballs.map((name) => `./${name}`);
    await npm(folder.path, "install", "--ignore-scripts", "--no-audit", "--no-fund", ...files);
    return folder;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** A folder with the packages in its `node_modules`. */
interface InstalledPackages {
  readonly path: string;
  /** Removes the folder, unless the test run made it for all of its files. */
  [Symbol.dispose](): void;
}

/** What the test run has installed, or without one an installation of one's own. */
export async function installedPackages(): Promise<InstalledPackages> {
  const path = process.env["E2E_INSTALLED"];
  return path === undefined ? await installPackages() : { path, [Symbol.dispose]: () => undefined };
}
