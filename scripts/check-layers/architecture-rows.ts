import { showList, type Layers } from "./layers.ts";
import type { SourceFile } from "./source-files.ts";

/**
 * Each folder of `layers.json` is there, and `ARCHITECTURE.md` says the same of what it may import.
 *
 * @returns Faults, one line each, with the file they are in.
 */
export function checkRows(
  root: string,
  files: readonly SourceFile[],
  { layers, architecture }: { readonly layers: Layers; readonly architecture: string },
): string[] {
  const section =
    architecture.slice(architecture.indexOf(`## ${root}\n`) + 1).split("\n## ")[0] ?? "";
  return Object.entries(layers.roots[root] ?? {}).flatMap(([folder, layer]) => {
    const faults: string[] = [];
    if (!files.some((file) => file.path.startsWith(`${folder}/`)))
      faults.push(`layers.json:1: ${root}/${folder} is not there`);
    const row = section.split("\n").find((line) => line.includes(`\`${folder}/\``));
    const wanted = layer.folders.length === 0 ? "nothing" : showList(layer.folders);
    const found = row?.split("|").at(-2)?.trim();
    if (found !== wanted)
      faults.push(
        `ARCHITECTURE.md:1: says "${found ?? "nothing"}" of what ${root}/${folder} may import, layers.json says "${wanted}"`,
      );
    return faults;
  });
}
