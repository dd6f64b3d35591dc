import { TableError } from "../core/index.ts";
import { type KindNode, placeInFile } from "../topology/index.ts";
import { compositionErrors } from "./errors.ts";

/** Loads the class or the function that a path of a topology names. */
export type LoadClass = (type: string) => Promise<unknown>;

/** Where a tree loader gets user code from. */
export interface CodeSource {
  readonly load: LoadClass;
  /** Loads the function behind the path of a middleware. */
  readonly loadFunction: (type: string) => Promise<(...parameters: never[]) => unknown>;
}

/** Loads what the nodes of one topology name, with the position of the node in every error. */
export class TreeLoader {
  readonly #fileName: string;
  readonly #source: CodeSource;

  /**
   * @param fileName Of the topology, for errors.
   * @param source Loads user code.
   */
  constructor(fileName: string, source: CodeSource) {
    this.#fileName = fileName;
    this.#source = source;
  }

  /** Where a node is in its file, as `file:line:column`. */
  at(node: Pick<KindNode, "at">): string {
    return placeInFile(this.#fileName, node.at);
  }

  /** Loads a class. Throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position of the node. */
  async load(node: KindNode, type: string): Promise<unknown> {
    return await loadAt(this.at(node), () => this.#source.load(type));
  }

  /** Loads a function. Throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position of the node. */
  async loadFunction(node: KindNode, type: string): Promise<(...parameters: never[]) => unknown> {
    return await loadAt(this.at(node), () => this.#source.loadFunction(type));
  }
}

/**
 * Loads user code.
 *
 * @param at Where the topology names it, as `file:line:column`.
 * @param load Loads it.
 * @returns What `load` gives.
 * @throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position.
 */
export async function loadAt<Loaded>(at: string, load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    throw new compositionErrors.CLASS_NOT_LOADED({ at, reason: cause.message }, { cause });
  }
}
