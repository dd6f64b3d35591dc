import { type AgentClass, TableError } from "../core/index.ts";
import { type KindNode, placeInFile } from "../topology/index.ts";
import { compositionErrors } from "./errors.ts";
import { type AgentBase, requireSubclass } from "./require-subclass.ts";

/** Loads the class or the function that a path of a topology names. */
export type LoadClass = (type: string) => Promise<unknown>;

/** Where a tree loader gets user code from. */
export interface CodeSource {
  readonly load: LoadClass;
  /** Loads the function behind the path of a middleware. */
  readonly loadFunction: (type: string) => Promise<(...parameters: never[]) => unknown>;
}

/** What a node names that cannot be used. */
export interface CodeFault {
  readonly node: KindNode;
  /** The reason, without the place. */
  readonly reason: string;
}

/** Loads what the nodes of one topology name, with the position of the node in every error. */
export class TreeLoader {
  readonly #fileName: string;
  readonly #source: CodeSource;
  readonly #onFault: ((fault: CodeFault) => void) | undefined;

  /**
   * @param fileName Of the topology, for errors.
   * @param source Loads user code.
   * @param onFault Takes what would be thrown; something that can be described is in its place then. Without it, it throws.
   */
  constructor(fileName: string, source: CodeSource, onFault?: (fault: CodeFault) => void) {
    this.#fileName = fileName;
    this.#source = source;
    this.#onFault = onFault;
  }

  /** Where a node is in its file, as `file:line:column`. */
  at(node: Pick<KindNode, "at">): string {
    return placeInFile(this.#fileName, node.at);
  }

  /** Loads a class. Throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position of the node. */
  async load(node: KindNode, type: string): Promise<unknown> {
    return await loadAt(this.at(node), () => this.#source.load(type));
  }

  /**
   * Loads a class of agents.
   *
   * @param node The node that names it.
   * @param type How.
   * @param base What it must extend.
   * @throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED, AGENTRT_COMPOSITION_NOT_AN_AGENT.
   */
  async loadSubclass(node: KindNode, type: string, base: AgentBase): Promise<AgentClass> {
    const place = { node: node.name, type, at: this.at(node) };
    return await this.orStandIn(node, {
      load: async () => requireSubclass(base, await this.load(node, type), place),
      // Nothing is made of it where faults are collected.
      standIn: () => base as AgentClass,
    });
  }

  /** Loads a function. Throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position of the node. */
  async loadFunction(node: KindNode, type: string): Promise<(...parameters: never[]) => unknown> {
    return await this.orStandIn(node, {
      load: async () => await loadAt(this.at(node), () => this.#source.loadFunction(type)),
      standIn: () => () => undefined,
    });
  }

  /** Loads something; where faults are collected, one that cannot be loaded is reported and replaced. */
  async orStandIn<Loaded>(
    node: KindNode,
    { load, standIn }: { readonly load: () => Promise<Loaded>; readonly standIn: () => Loaded },
  ): Promise<Loaded> {
    try {
      return await load();
    } catch (error) {
      if (this.#onFault === undefined || !(error instanceof TableError)) throw error;
      this.#onFault({ node, reason: withoutPlace(error.message, this.at(node)) });
      return standIn();
    }
  }
}

/**
 * Takes the place away that a message begins with.
 *
 * @param message Of an error.
 * @param at The place.
 */
export function withoutPlace(message: string, at: string): string {
  return message.startsWith(`${at}: `) ? message.slice(at.length + 2) : message;
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
