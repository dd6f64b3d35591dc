import type { ImportingFile, ImportResolver } from "../../../imports/index.ts";
import {
  type Expression,
  type FileTypes,
  type ImportedName,
  type MemberDefinition,
  type MemberUse,
  type Mention,
  type TypeDefinition,
  type FileMembers,
  readMembers,
  type TypeText,
} from "../../../syntax/index.ts";

/** A type of the project: its definitions are one, also over the files of a package. */
export interface ProjectType {
  /** Of the module, and in it. */
  readonly id: string;
  readonly name: string;
  /** Where it is defined; an interface may be in several places of a file. */
  readonly definitions: readonly { readonly file: number; readonly type: TypeDefinition }[];
  readonly members: readonly { readonly file: number; readonly member: MemberDefinition }[];
}

/** What an expression is worth, as far as it can be seen. */
export type Value =
  | { readonly kind: "instance" | "type"; readonly type: ProjectType }
  | { readonly kind: "function"; readonly result: () => Value }
  | { readonly kind: "list" | "promise"; readonly of: Value }
  | { readonly kind: "tuple" | "either"; readonly of: readonly Value[] }
  /** A module: files, or those that a dotted path begins with. */
  | { readonly kind: "module"; readonly files: readonly number[]; readonly left: readonly string[] }
  /** Of a package that is not in the tree; `builtin` where no import brings it. */
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "foreign" | "nothing" | "unknown" };

/** What the project gives. */
export interface GraphSources {
  /** Those of the languages that can use each other. */
  readonly files: readonly (ImportingFile | undefined)[];
  readonly resolver: ImportResolver;
  readonly readText: (file: number) => string;
  /** The member that is renamed. */
  readonly name: string;
}

const unknownValue: Value = { kind: "unknown" };

/** Steps of one evaluation: names lead to names. */
const depthMax = 24;

/** Types of a project, and what expressions of its files mean. Files are read when they are needed. */
export class TypeGraph {
  readonly #sources: GraphSources;
  readonly #membersOf = new Map<number, FileMembers | null>();
  readonly #typeOf = new Map<string, ProjectType>();
  #filesOfPackage: ReadonlyMap<string, readonly number[]> | undefined;
  #depth = 0;

  constructor(sources: GraphSources) {
    this.#sources = sources;
  }

  /** What a file says of types; `null` where it has errors of syntax. */
  factsOf(file: number): FileTypes | null {
    return this.#read(file)?.types ?? null;
  }

  /** The places of a file that name the member, or may; `null` where it has errors of syntax. */
  usesIn(file: number): readonly MemberUse[] | null {
    return this.#read(file)?.uses ?? null;
  }

  /** The type with a key, as a file sees it. */
  typeAt(file: number, key: string): ProjectType | undefined {
    const isLocal = key.includes("@");
    const files = isLocal ? [file] : this.#filesOfModule(file);
    const id = `${isLocal ? file : (files[0] ?? file)}#${key}`;
    const known = this.#typeOf.get(id);
    if (known !== undefined) return known;
    const definitions = files.flatMap((each) =>
      (this.factsOf(each)?.types ?? [])
        .filter((type) => type.key === key)
        .map((type) => ({ file: each, type })),
    );
    const [first] = definitions;
    if (first === undefined) return undefined;
    const members = definitions.flatMap(({ file: own, type }) =>
      type.members.map((member) => ({ file: own, member })),
    );
    for (const each of files)
      for (const { owner, member } of this.factsOf(each)?.methods ?? [])
        if (owner === key) members.push({ file: each, member });
    const type = { id, name: first.type.name, definitions, members };
    this.#typeOf.set(id, type);
    return type;
  }

  /** What a type extends, implements or embeds. */
  supersOf(type: ProjectType): readonly Value[] {
    return type.definitions.flatMap(({ file, type: { supers, alias } }) =>
      [...supers, ...(alias === undefined ? [] : [alias])].map((each) =>
        this.valueOfType(file, each),
      ),
    );
  }

  /** What an expression of a file is worth. */
  evaluate(file: number, expression: Expression): Value {
    if (this.#depth >= depthMax) return unknownValue;
    this.#depth += 1;
    try {
      return this.#evaluate(file, expression);
    } finally {
      this.#depth -= 1;
    }
  }

  /** What has a type, as it is written in a file. `self` is the type that a member belongs to. */
  valueOfType(file: number, text: TypeText, self?: ProjectType): Value {
    const inner = (of: TypeText): Value => this.valueOfType(file, of, self);
    switch (text.kind) {
      case "named":
        return instanceOf(this.#named(file, text.path, text.isFree));
      case "local":
        return instanceOf(typeValue(this.typeAt(file, text.key)));
      case "list":
      case "promise":
        return { kind: text.kind, of: inner(text.of) };
      case "class": {
        const of = inner(text.of);
        return of.kind === "instance" ? { kind: "type", type: of.type } : unknownValue;
      }
      case "this":
        return self === undefined ? unknownValue : { kind: "instance", type: self };
      case "either":
      case "tuple":
        return { kind: text.kind, of: text.of.map(inner) };
      default:
        return { kind: text.kind };
    }
  }

  /** The members of a type with a name: its own, else those of what it extends. */
  membersNamed(
    type: ProjectType,
    name: string,
    seen: ReadonlySet<string> = new Set(),
  ): ProjectType["members"] {
    const own = type.members.filter(({ member }) => member.name === name);
    if (own.length > 0 || seen.has(type.id)) return own;
    for (const above of this.supersOf(type)) {
      if (above.kind !== "instance") continue;
      const found = this.membersNamed(above.type, name, new Set([...seen, type.id]));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The places of a file where a comment or a string has the name of the member. */
  mentionsIn(file: number): readonly Mention[] {
    return this.#read(file)?.mentions ?? [];
  }

  #read(file: number): FileMembers | null {
    const known = this.#membersOf.get(file);
    if (known !== undefined) return known;
    const { files, readText, name } = this.#sources;
    const members = readMembers(readText(file), files[file]?.language ?? "", name);
    this.#membersOf.set(file, members);
    return members;
  }

  #evaluate(file: number, expression: Expression): Value {
    switch (expression.kind) {
      case "self": {
        const type = this.typeAt(file, expression.key);
        if (type === undefined) return unknownValue;
        return { kind: expression.isType ? "type" : "instance", type };
      }
      case "super": {
        const type = this.typeAt(file, expression.key);
        const above = type === undefined ? [] : this.supersOf(type);
        const [only] = above;
        if (type === undefined || only === undefined) return unknownValue;
        // Of several, the one that has the member is found as if from the type itself.
        return above.length === 1 ? only : { kind: "instance", type };
      }
      case "name":
        return this.#named(file, [expression.name], expression.isFree);
      case "type":
        return typeValue(this.typeAt(file, expression.key));
      case "member":
        return this.#memberOf(this.evaluate(file, expression.object), expression.name);
      case "call":
        return called(this.evaluate(file, expression.callee));
      case "new":
        return instanceOf(this.evaluate(file, expression.callee));
      case "await": {
        const of = this.evaluate(file, expression.of);
        return of.kind === "promise" ? of.of : of;
      }
      case "element": {
        const of = onlyOf(this.evaluate(file, expression.of));
        return of.kind === "list" ? of.of : unknownValue;
      }
      case "part": {
        const of = this.evaluate(file, expression.of);
        return of.kind === "tuple" ? (of.of[expression.index] ?? unknownValue) : unknownValue;
      }
      case "either":
        return { kind: "either", of: expression.of.map((each) => this.evaluate(file, each)) };
      case "typed":
        return this.valueOfType(file, expression.type);
      case "function":
        return { kind: "function", result: () => this.valueOfType(file, expression.result) };
    }
  }

  #memberOf(object: Value, name: string): Value {
    if (object.kind === "either")
      return { kind: "either", of: said(object.of).map((each) => this.#memberOf(each, name)) };
    if (object.kind === "module") return this.#inModule(object, name);
    if (object.kind === "external") return { kind: "external", name: `${object.name}.${name}` };
    if (object.kind !== "instance" && object.kind !== "type") return unknownValue;
    const found = this.membersNamed(object.type, name);
    const values = found
      .filter(
        ({ member }) =>
          !(
            member.type.kind === "typed" &&
            member.type.type.kind === "nothing" &&
            !member.isMethod
          ),
      )
      .map(({ file, member }): Value => {
        const read = (): Value =>
          member.type.kind === "typed"
            ? this.valueOfType(file, member.type.type, object.type)
            : this.evaluate(file, member.type);
        return member.isMethod ? { kind: "function", result: read } : read();
      });
    const [only] = values;
    return only !== undefined && values.length === 1 ? only : sameResult(values);
  }

  /** What a dotted name means in a file. */
  #named(file: number, path: readonly string[], isFree = false): Value {
    const [first = "", ...rest] = path;
    let value = this.#nameIn(file, first, new Set());
    // Declared in the file, and not read here: that is not one from outside.
    if (
      value.kind === "external" &&
      value.name === first &&
      !isFree &&
      !this.#isImport(file, first)
    )
      value = unknownValue;
    for (const name of rest) value = this.#memberOf(value, name);
    return value;
  }

  /** What a name means inside of a file. */
  #nameIn(file: number, name: string, seen: Set<string>): Value {
    const mark = `${file} ${name}`;
    if (seen.has(mark)) return unknownValue;
    seen.add(mark);
    for (const own of this.#filesOfModule(file)) {
      const type = this.typeAt(own, name);
      if (type !== undefined) return this.#aliased(type);
      const value = this.factsOf(own)?.values.get(name);
      if (value !== undefined) return this.evaluate(own, value);
    }
    const facts = this.factsOf(file);
    if (facts === null) return unknownValue;
    // `import a` gives more of `a` than `import a.b`.
    const imports = facts.imports.toSorted(
      (left, right) => Number(left.path !== undefined) - Number(right.path !== undefined),
    );
    for (const each of imports) {
      if (each.local === undefined && each.imported === "*" && each.exported === "*") {
        if (this.#sources.files[file]?.language !== "python") continue;
        const found = this.#exportedBy(this.#filesOf(file, each), name, seen);
        if (found.kind !== "external") return found;
      }
      if (each.local === name) return this.#imported(file, each, seen);
      if (each.local === "") {
        const files = this.#filesOf(file, each);
        const packageName = files[0] === undefined ? "" : this.factsOf(files[0])?.packageName;
        if (packageName === name) return { kind: "module", files, left: [] };
        if (files.length === 0 && this.#specifierAt(file, each.line1).endsWith(name))
          return { kind: "external", name };
      }
    }
    return { kind: "external", name };
  }

  #isImport(file: number, name: string): boolean {
    const imports = this.factsOf(file)?.imports ?? [];
    return imports.some(({ local }) => local === name || local === "");
  }

  #aliased(type: ProjectType): Value {
    const [only] = type.definitions;
    if (only?.type.alias === undefined) return { kind: "type", type };
    if (this.#depth >= depthMax) return unknownValue;
    this.#depth += 1;
    const value = this.valueOfType(only.file, only.type.alias);
    this.#depth -= 1;
    return value.kind === "instance" ? { kind: "type", type: value.type } : value;
  }

  #imported(file: number, each: ImportedName, seen: Set<string>): Value {
    const files = this.#filesOf(file, each);
    if (files.length === 0) {
      // A path that leads nowhere is not known; a package is one from outside.
      return this.#specifierAt(file, each.line1).startsWith(".")
        ? unknownValue
        : { kind: "external", name: each.imported };
    }
    if (each.imported === "*") return { kind: "module", files, left: (each.path ?? []).slice(1) };
    const module = files.filter((target) =>
      new RegExp(`(?:^|/)${each.imported}(?:/__init__)?\\.pyi?$`).test(
        this.#sources.files[target]?.path ?? "",
      ),
    );
    if (
      module.length > 0 &&
      this.#specifierAt(file, each.line1).split(".").at(-1) !== each.imported
    ) {
      const rest = files.filter((target) => !module.includes(target));
      const found = this.#exportedBy(rest, each.imported, seen);
      return found.kind === "external" ? { kind: "module", files: module, left: [] } : found;
    }
    const found = this.#exportedBy(files, each.imported, seen);
    // The file is in the tree, and how it gives the name is not read here.
    return found.kind === "external" ? unknownValue : found;
  }

  /** What others get from some files under a name: `external` where none of them has it. */
  #exportedBy(files: readonly number[], name: string, seen: Set<string>): Value {
    for (const file of files) {
      const facts = this.factsOf(file);
      if (facts === null) return unknownValue;
      const inner = facts.exports.get(name) ?? (name === "default" ? undefined : name);
      const isOwn =
        inner !== undefined &&
        (facts.types.some(({ key }) => key === inner) ||
          facts.values.has(inner) ||
          facts.imports.some(({ local }) => local === inner));
      if (isOwn) return this.#nameIn(file, inner, seen);
      for (const each of facts.imports) {
        if (each.exported === name && each.local === undefined)
          return this.#imported(file, each, seen);
        if (each.exported !== "*") continue;
        const mark = `* ${file} ${each.line1} ${name}`;
        if (seen.has(mark)) continue;
        seen.add(mark);
        const found = this.#exportedBy(this.#filesOf(file, each), name, seen);
        if (found.kind !== "external") return found;
      }
    }
    return { kind: "external", name };
  }

  #inModule({ files, left }: Extract<Value, { kind: "module" }>, name: string): Value {
    if (left.length === 0) {
      const found = this.#exportedBy(files, name, new Set());
      // The module is in the tree, and how it gives the name is not read here.
      return found.kind === "external" ? unknownValue : found;
    }
    return left[0] === name ? { kind: "module", files, left: left.slice(1) } : unknownValue;
  }

  #filesOf(file: number, { line1 }: ImportedName): number[] {
    const own = this.#sources.files[file];
    if (own === undefined) return [];
    const found = own.imports
      .filter((each) => each.line1 === line1)
      .flatMap((reference) => this.#sources.resolver.resolve(own, reference));
    return [...new Set(found.map((each) => each.file))].filter(
      (each) => this.#sources.files[each] !== undefined,
    );
  }

  #specifierAt(file: number, line1: number): string {
    return this.#sources.files[file]?.imports.find((each) => each.line1 === line1)?.specifier ?? "";
  }

  /** The files whose names a file sees without import, itself among them. */
  #filesOfModule(file: number): readonly number[] {
    const own = this.#sources.files[file];
    if (own?.language !== "go") return [file];
    this.#filesOfPackage ??= Map.groupBy(
      this.#sources.files.flatMap((each, number) => (each?.language === "go" ? [number] : [])),
      (each) => this.#packageOf(each),
    );
    return this.#filesOfPackage.get(this.#packageOf(file)) ?? [file];
  }

  #packageOf(file: number): string {
    const path = this.#sources.files[file]?.path ?? "";
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const name = /^package\s+(\w+)/m.exec(this.#sources.readText(file))?.[1] ?? "";
    return `${folder} ${name}`;
  }
}

/** Those of several values that are something. */
export function said(values: readonly Value[]): readonly Value[] {
  return values.filter(({ kind }) => kind !== "nothing");
}

function onlyOf(value: Value): Value {
  if (value.kind !== "either") return value;
  const [only, second] = said(value.of);
  return only !== undefined && second === undefined ? only : value;
}

function typeValue(type: ProjectType | undefined): Value {
  return type === undefined ? unknownValue : { kind: "type", type };
}

function instanceOf(value: Value): Value {
  if (value.kind === "type") return { kind: "instance", type: value.type };
  // The name of a type that stands for another form: a list, a choice.
  if (value.kind === "function") return unknownValue;
  return value.kind === "instance" ? unknownValue : value;
}

function called(value: Value): Value {
  if (value.kind === "either") return { kind: "either", of: value.of.map(called) };
  if (value.kind === "function") return value.result();
  // A constructor of Python, a conversion of Go.
  if (value.kind === "type") return { kind: "instance", type: value.type };
  if (value.kind === "external") return { kind: "external", name: `${value.name}()` };
  return unknownValue;
}

/** Definitions that say different things say nothing. */
function sameResult(values: readonly Value[]): Value {
  return values.length > 1 ? { kind: "either", of: values } : unknownValue;
}
