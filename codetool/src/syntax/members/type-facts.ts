/** A type as code writes it. */
export type TypeText =
  /** A name, with what is before its dots; `isFree` where the file does not declare it. */
  | { readonly kind: "named"; readonly path: readonly string[]; readonly isFree?: boolean }
  /** A type of this file that is not at file level, by its key. */
  | { readonly kind: "local"; readonly key: string }
  /** What gives its parts by an index or a loop. */
  | { readonly kind: "list"; readonly of: TypeText }
  /** What a wait gives. */
  | { readonly kind: "promise"; readonly of: TypeText }
  /** The type itself as a value: `typeof C`, `type[C]`. */
  | { readonly kind: "class"; readonly of: TypeText }
  /** The type of the object that the member belongs to. */
  | { readonly kind: "this" }
  | { readonly kind: "either"; readonly of: readonly TypeText[] }
  /** Several results of one call. */
  | { readonly kind: "tuple"; readonly of: readonly TypeText[] }
  /** A type that no code defines: a number, a string. */
  | { readonly kind: "foreign" }
  /** Nothing: `null`, `None`. */
  | { readonly kind: "nothing" }
  | { readonly kind: "unknown" };

/** An expression, as far as its type can be seen. */
export type Expression =
  /** The object of the type around, by its key; `isType` where it is the type itself. */
  | { readonly kind: "self"; readonly key: string; readonly isType: boolean }
  /** The same, seen as its supertypes. */
  | { readonly kind: "super"; readonly key: string; readonly isType: boolean }
  /** A name at file level, or of another file; `isFree` where the file does not declare it. */
  | { readonly kind: "name"; readonly name: string; readonly isFree?: boolean }
  /** A type of this file, by its key. */
  | { readonly kind: "type"; readonly key: string }
  | { readonly kind: "member"; readonly object: Expression; readonly name: string }
  | { readonly kind: "call"; readonly callee: Expression }
  | { readonly kind: "new"; readonly callee: Expression }
  | { readonly kind: "await"; readonly of: Expression }
  | { readonly kind: "element"; readonly of: Expression }
  | { readonly kind: "part"; readonly of: Expression; readonly index: number }
  | { readonly kind: "either"; readonly of: readonly Expression[] }
  | { readonly kind: "typed"; readonly type: TypeText }
  /** A function of which only the result is known. */
  | { readonly kind: "function"; readonly result: TypeText };

/** A member as its type defines it; one name may have several: overloads, a getter and a setter. */
export interface MemberDefinition {
  readonly name: string;
  /** UTF-16 units of the name. */
  readonly start: number;
  readonly end: number;
  readonly line1: number;
  readonly isMethod: boolean;
  readonly isStatic: boolean;
  /** A parameter of the constructor that is a field at once. */
  readonly isParameter: boolean;
  /** A field of Go that has the name of its type. */
  readonly isEmbedded?: true;
  /** How many arguments a method of Go takes; a variadic one counts once. */
  readonly parameterCount?: number;
  /** Of a value its type, of a method what it gives. */
  readonly type: Expression;
}

/** A class, interface, struct or named type. */
export interface TypeDefinition {
  /** Its name where it is at file level, else a key that no name can be. */
  readonly key: string;
  readonly name: string;
  readonly line1: number;
  readonly isOuter: boolean;
  readonly isInterface: boolean;
  /** What it extends, implements or embeds. */
  readonly supers: readonly TypeText[];
  readonly members: readonly MemberDefinition[];
  /** Another name of this type. */
  readonly alias?: TypeText;
}

/** A name that a file gets from another. */
export interface ImportedName {
  /** Undefined where the file only exports it again. */
  readonly local: string | undefined;
  /** As the other file calls it; `*` for the file as a whole. */
  readonly imported: string;
  /** Under which name others get it from here: `*` for all names. */
  readonly exported: string | undefined;
  /** Line of the statement, from 1. */
  readonly line1: number;
  /** Of a module that is reached by the names of its packages (`import a.b`): these names. */
  readonly path?: readonly string[];
}

/** What a file says of types. */
export interface FileTypes {
  readonly types: readonly TypeDefinition[];
  /** Methods that are not written inside their type, with its name. */
  readonly methods: readonly { readonly owner: string; readonly member: MemberDefinition }[];
  /** Functions and variables at file level, by name. */
  readonly values: ReadonlyMap<string, Expression>;
  readonly imports: readonly ImportedName[];
  /** Names under which others get what the file calls otherwise. */
  readonly exports: ReadonlyMap<string, string>;
  /** Name of its package, where the language has such. */
  readonly packageName: string;
}

/** A place that names a member, or may. */
export interface MemberUse {
  readonly start: number;
  readonly end: number;
  readonly line1: number;
  /**
   * - `member`: behind a dot.
   * - `definition`: in its type.
   * - `taken`: `{ name }` of an object that is taken apart; `shorthand` the same, declaring the name too.
   * - `key`: of an object that is written out; with `receiver` where its type is written too.
   * - `string`: a string that holds the name and nothing else.
   */
  readonly role: "member" | "definition" | "taken" | "shorthand" | "key" | "string";
  /** What is before the dot, or taken apart, or written out; absent where nothing is known of it. */
  readonly receiver?: Expression;
  /** Of a definition: key of the type. */
  readonly owner?: string;
}

/** An expression of which nothing is known. */
export const unknown: Expression = { kind: "typed", type: { kind: "unknown" } };

/** An expression whose type no code defines. */
export const foreign: Expression = { kind: "typed", type: { kind: "foreign" } };

/** A type of several, without those that say nothing. */
export function eitherType(types: readonly TypeText[]): TypeText {
  const said = types.filter(({ kind }) => kind !== "nothing");
  const [first, second] = said;
  if (first === undefined) return { kind: "nothing" };
  return second === undefined ? first : { kind: "either", of: said };
}
