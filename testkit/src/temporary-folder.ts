import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is removed, with all in it, when disposed. */
export interface TemporaryFolder extends Disposable {
  /** Absolute path, symbolic links resolved. */
  readonly path: string;
  /** Writes files by relative path, folders made as needed. */
  write(files: { readonly [relativePath: string]: string | Uint8Array }): void;
}

/**
 * Makes a new temporary folder.
 *
 * @param files Files to begin with, by relative path.
 */
export function createTemporaryFolder(
  files: { readonly [relativePath: string]: string | Uint8Array } = {},
): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "testkit-")));
  const write: TemporaryFolder["write"] = (added) => {
    for (const [relativePath, content] of Object.entries(added)) {
      const target = join(path, relativePath);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    }
  };
  write(files);
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
