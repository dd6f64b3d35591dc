/** Parts of a name such as `a.b`: modules inside of modules are followed to this depth. */
export const modulePartCountMax = 4;

/** What a file takes of the definition by its imports. */
export interface FileLinks {
  /** Lines of the statements that import the name, from 1. */
  readonly importLines: Set<number>;
  /** Texts before a dot behind which the name is the definition: `config`, `a.b`. */
  readonly qualifiers: Set<string>;
  readonly isDefiner: boolean;
  /** The name at file level is the definition. */
  isBound: boolean;
  /** The name is the definition where the file declares no other: a star import. */
  isOpen: boolean;
  /** It loads the whole module in a way that leads to no name. */
  isWhole: boolean;
  /** Others that import from the file get the definition under its name. */
  isProvider: boolean;
  /** Names under which others get from the file a module that has the definition: `ns`, `outer.ns`. */
  readonly namespaces: Set<string>;
}

/** What a file takes that takes nothing. */
export function noLinks(): FileLinks {
  return {
    importLines: new Set(),
    qualifiers: new Set(),
    isDefiner: false,
    isBound: false,
    isOpen: false,
    isWhole: false,
    isProvider: false,
    namespaces: new Set(),
  };
}
