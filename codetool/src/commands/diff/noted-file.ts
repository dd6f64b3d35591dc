import type { NotedFile } from "../../diffs/index.ts";
import type { ComparedFile } from "./compare.ts";

const submoduleMode = "160000";
const linkMode = "120000";
const shownIdLength = 10;

/** The notes on a changed file, with remarks on changes that are not in its lines. */
export function notedFile(file: ComparedFile): NotedFile {
  const { change, path, oldPath, comparison } = file;
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    status: change.status,
    remarks: remarksOn(file),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

function remarksOn({ change }: ComparedFile): string[] {
  const remarks: string[] = [];
  const oldMode = change.old?.mode;
  const newMode = change.new?.mode;
  if (change.isUnmerged) remarks.push("in conflict");
  const isSubmodule = oldMode === submoduleMode || newMode === submoduleMode;
  if (isSubmodule && change.leftOut === undefined) {
    const at = (lines: readonly string[] | undefined): string | undefined =>
      /^Subproject commit ([0-9a-f]+)(-dirty)?/.exec(lines?.[0] ?? "")?.[1];
    const from = at(change.blocks[0]?.oldLines);
    const to = at(change.blocks.at(-1)?.newLines);
    if (from !== undefined && to !== undefined)
      remarks.push(
        from === to
          ? "submodule with uncommitted changes"
          : `submodule from ${from.slice(0, shownIdLength)} to ${to.slice(0, shownIdLength)}`,
      );
    else remarks.push("submodule");
  } else if (oldMode !== undefined && newMode !== undefined && oldMode !== newMode) {
    const isLink = oldMode === linkMode || newMode === linkMode;
    remarks.push(
      isLink
        ? `became ${newMode === linkMode ? "a symbolic link" : "a file"}`
        : `mode changed from ${oldMode} to ${newMode}`,
    );
  }
  const isModified = change.old !== undefined && change.new !== undefined;
  if (change.isBinary) remarks.push(isModified ? "binary file changed" : "binary");
  if (change.leftOut !== undefined) remarks.push(`content left out: ${change.leftOut}`);
  return remarks;
}
