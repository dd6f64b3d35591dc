import { posix } from "node:path";
import type { Layers } from "./layers.ts";
import type { Fault, SourceFile } from "./source-files.ts";

/** A folder holds few files side by side, tests apart; folders of like things may hold more. */
export function checkRooms(files: readonly SourceFile[], { rooms }: Layers): Fault[] {
  const byFolder = Map.groupBy(
    files.filter((file) => !file.isTest),
    (file) => posix.dirname(file.path),
  );
  return [...byFolder].flatMap(([folder, inside]) => {
    const where = `${inside[0]?.root}/${folder}`;
    if (inside.length <= rooms.fileCountMax || rooms.likeThings.includes(where)) return [];
    const message = `${inside.length} files side by side in ${where}: at most ${rooms.fileCountMax}`;
    return [{ path: inside[0]?.path ?? folder, line1: 1, message }];
  });
}
