/** `layers.json` as it is read. */
import { readFileSync } from "node:fs";

/** What the files of a folder may import; `*` is everything. */
export interface Layer {
  readonly folders: readonly string[] | "*";
  readonly packages: readonly string[] | "*";
  readonly node: readonly string[] | "*";
}

/** The architecture as data. */
export interface Layers {
  readonly tests: Layer;
  readonly roots: { readonly [root: string]: { readonly [folder: string]: Layer } };
  readonly rooms: {
    /** Most files side by side in one folder, tests apart. */
    readonly fileCountMax: number;
    /** Folders of like things, a file each: they may hold more. */
    readonly likeThings: readonly string[];
  };
  /** Files that may read the clock, randomness and timers of the machine, by root. */
  readonly world: { readonly [root: string]: readonly string[] };
}

/** Reads `layers.json`. */
export function readLayers(path: string): Layers {
  return JSON.parse(readFileSync(path, "utf8")) as Layers;
}

/** Tells whether a list of a layer names something. */
export function isAllowed(list: readonly string[] | "*", name: string): boolean {
  return list === "*" || list.includes(name);
}

/** A list of a layer, for people. */
export function showList(names: readonly string[] | "*"): string {
  return names === "*" ? "all" : names.join(", ") || "none";
}
