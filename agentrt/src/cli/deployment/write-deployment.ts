import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { reasonOf } from "../../core/index.ts";
import type { DeployedFile } from "../../deploy/index.ts";
import type { CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";

/**
 * Writes the files of a deployment, each whole: all drafts are there before the first one takes its name.
 *
 * @param files What is written.
 * @param where.folder Relative to the working directory.
 * @param where.isForced True where files that are there are overwritten.
 * @returns The folder as it is shown to people.
 * @throws AGENTRT_CLI_FILES_THERE, AGENTRT_CLI_FILES_UNWRITTEN.
 */
export function writeDeployment(
  files: readonly DeployedFile[],
  where: { readonly folder: string; readonly isForced: boolean; readonly io: CommandIo },
): string {
  const folder = resolve(where.io.directory, where.folder);
  const shown = relative(where.io.directory, folder) || ".";
  const there = files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)));
  if (there.length > 0 && !where.isForced)
    throw new cliErrors.FILES_THERE({ folder: shown, names: there });
  const drafts: { readonly draft: string; readonly target: string }[] = [];
  try {
    for (const { path, content, isSecret = false } of files) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      const draft = `${target}.${process.pid}.draft`;
      const mode = isSecret ? 0o600 : 0o644;
      writeFileSync(draft, content, { flag: "wx", mode });
      drafts.push({ draft, target });
      chmodSync(draft, mode);
    }
    for (const { draft, target } of drafts) renameSync(draft, target);
  } catch (cause) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw new cliErrors.FILES_UNWRITTEN({ folder: shown, reason: reasonOf(cause) }, { cause });
  }
  return shown;
}
