import { sep } from "node:path";

/** Says where the files of a folder lie. */
export function pathsBelow(root: string): (path: string) => string {
  const folder = root.endsWith(sep) ? root : `${root}${sep}`;
  return (path) => folder + (sep === "/" ? path : path.replaceAll("/", sep));
}
