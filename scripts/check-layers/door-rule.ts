import type { Fault, SourceFile } from "./source-files.ts";

/**
 * A folder is entered through its `index.ts`: on the way from the deepest folder that both files share to the imported
 * file, the first folder is a closed room. Tests look into every room.
 */
export function checkDoors(file: SourceFile): Fault[] {
  if (file.isTest) return [];
  return file.imports.flatMap(({ target, specifier, line1 }) => {
    const room = target === undefined ? undefined : firstRoom(file.path, target);
    if (room === undefined || target === `${room}/index.ts`) return [];
    return [
      {
        path: file.path,
        line1,
        message: `"${specifier}" passes the door: import ${room}/index.ts`,
      },
    ];
  });
}

/** The first folder on the way down to a file from what it shares with another; undefined when there is none. */
function firstRoom(from: string, target: string): string | undefined {
  const own = from.split("/").slice(0, -1);
  const theirs = target.split("/").slice(0, -1);
  const shared = theirs.findIndex((name, depth) => name !== own[depth]);
  return shared === -1 ? undefined : theirs.slice(0, shared + 1).join("/");
}
