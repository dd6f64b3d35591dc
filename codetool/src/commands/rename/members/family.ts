import { hasWord } from "../../../syntax/index.ts";
import type { GraphSources, ProjectType, TypeGraph, Value } from "./type-graph.ts";

/** The types of which a member is one and the same: those that define it, and those that inherit it. */
export interface Family {
  readonly definers: ReadonlyMap<string, ProjectType>;
  /** The definers, and all that inherit from them. */
  readonly types: ReadonlyMap<string, ProjectType>;
  /** Interfaces that are not of the family, and that its types may fulfil without saying so. */
  readonly alike: readonly ProjectType[];
  readonly isMethod: boolean;
  /** A type of it extends one from outside of the tree. */
  readonly hasExternal: boolean;
}

/** Why a member cannot be renamed. */
export class FamilyFault extends Error {}

interface Search {
  readonly graph: TypeGraph;
  readonly sources: GraphSources;
  /** The member. */
  readonly name: string;
}

/** Types from outside that are extended without harm, and the members that they have. */
const knownBases: ReadonlyMap<string, readonly string[]> = new Map([
  ["object", []],
  ["ABC", []],
  ["Generic", []],
  ["Protocol", []],
  ["Error", ["name", "message", "stack", "cause"]],
  ["TypeError", ["name", "message", "stack", "cause"]],
]);
const exceptionMembers = ["args", "with_traceback", "add_note"];

/** Methods that Go's own packages call through their interfaces, and how many arguments these take. */
const calledByGo: ReadonlyMap<string, number> = new Map([
  ...namesWith("String Error Close Len Pop GoString Unwrap Lock Unlock", 0),
  ...namesWith("MarshalJSON MarshalText MarshalBinary Value", 0),
  ...namesWith("Write Read Push Scan Is As RoundTrip", 1),
  ...namesWith("UnmarshalJSON UnmarshalText UnmarshalBinary", 1),
  ...namesWith("Seek Less Swap ServeHTTP Format", 2),
]);
/** Interfaces of Go's own packages with several methods: a type that has all of them may be used as one. */
const interfacesOfGo: readonly ReadonlyMap<string, number>[] = [
  new Map([["Set", 1], ...namesWith("String", 0)]),
  new Map(namesWith("Done Err Deadline", 0)),
  new Map([["Read", 1], ...namesWith("Stat Close", 0)]),
  new Map(namesWith("Name IsDir Type Info", 0)),
  new Map(namesWith("Name Size Mode ModTime IsDir Sys", 0)),
  new Map([
    ["Enabled", 2],
    ["Handle", 2],
    ["WithAttrs", 1],
    ["WithGroup", 1],
  ]),
];
const calledByOthers = /^(?:__\w+__|toString|valueOf|toJSON|then)$/;

/**
 * Finds all types that share a member with one.
 *
 * @throws FamilyFault where the member may be defined by what is not in the tree.
 */
export function findFamily(type: ProjectType, search: Search): Family {
  const { graph, name } = search;
  const isGo = languageOf(type, search) === "go";
  if (!isGo && calledByOthers.test(name)) throw new FamilyFault(byThisName(name));
  const definers = new Map([[type.id, type]]);
  let pool: readonly ProjectType[] = [];
  for (let isGrowing = true; isGrowing;) {
    const count = definers.size;
    pool = typesAround(definers, pool, search);
    const heirs = heirsOf(definers, pool, search);
    for (const each of isGo ? [] : [...definers.values(), ...heirs])
      for (const above of ancestorsOf(each, graph))
        if (defines(above, name)) definers.set(above.id, above);
    if (!isGo) for (const heir of heirs) if (defines(heir, name)) definers.set(heir.id, heir);
    if (isGo) for (const each of fulfilled(definers, pool, search)) definers.set(each.id, each);
    isGrowing = definers.size > count;
  }
  const types = new Map(definers);
  for (const heir of heirsOf(definers, pool, search)) types.set(heir.id, heir);
  if (isGo) for (const each of definers.values()) refuseOfGo(each, search);
  let hasExternal = false;
  for (const each of types.values())
    if (!isGo && requireKnownSupers(each, search)) hasExternal = true;
  const own = [...definers.values()].flatMap(({ members }) =>
    members.filter(({ member }) => member.name === name),
  );
  return {
    definers,
    types,
    alike: isGo ? [] : alikeIn(pool, { definers, types }, search),
    isMethod: own.some(({ member }) => member.isMethod),
    hasExternal,
  };
}

function refuseOfGo(type: ProjectType, { graph, name }: Search): void {
  const had = methodsOf(type, graph);
  const fits = (method: string, count: number): boolean => takesAsMany(had, method, count);
  const count = calledByGo.get(name);
  if (count !== undefined && fits(name, count)) throw new FamilyFault(byThisName(name));
  for (const methods of interfacesOfGo)
    if (methods.has(name) && [...methods].every(([each, wanted]) => fits(each, wanted)))
      throw new FamilyFault(
        `"${type.name}" has ${[...methods.keys()].join(", ")}, as an interface of Go's own packages has`,
      );
}

function byThisName(name: string): string {
  return `the language or its library calls "${name}" by this name`;
}

function namesWith(names: string, parameterCount: number): [string, number][] {
  return names.split(" ").map((name) => [name, parameterCount]);
}

/** Whether a method has this name and takes as many arguments, or may. */
function takesAsMany(
  methods: GoMethods,
  name: string,
  parameterCount: number | undefined,
): boolean {
  if (!methods.has(name)) return false;
  const had = methods.get(name);
  return had === undefined || parameterCount === undefined || had === parameterCount;
}

/** Methods by name, with how many arguments they take where that is known. */
type GoMethods = ReadonlyMap<string, number | undefined>;

/** Whether a type defines a member itself. */
export function defines({ members }: ProjectType, name: string): boolean {
  return members.some(({ member }) => member.name === name);
}

function languageOf({ definitions }: ProjectType, { sources }: Search): string {
  return sources.files[definitions[0]?.file ?? -1]?.language ?? "";
}

/** The types of all files that name a type of the family, or the member. */
function typesAround(
  definers: ReadonlyMap<string, ProjectType>,
  pool: readonly ProjectType[],
  { graph, sources, name }: Search,
): readonly ProjectType[] {
  const names = new Set([name]);
  const addFamily = (): void => {
    for (const each of definers.values()) names.add(each.name);
    for (const each of pool)
      if (ancestorsOf(each, graph).some(({ id }) => definers.has(id))) names.add(each.name);
  };
  addFamily();
  const found = new Map(pool.map((each) => [each.id, each]));
  const read = new Set<number>();
  for (let isGrowing = true; isGrowing;) {
    const count = names.size;
    for (const [file, known] of sources.files.entries()) {
      if (known === undefined || read.has(file)) continue;
      const text = sources.readText(file);
      const isNear = [...names].some((each) => hasWord(text, each));
      if (!isNear && !importsDefault.test(text)) continue;
      read.add(file);
      for (const { key } of graph.factsOf(file)?.types ?? []) {
        const type = graph.typeAt(file, key);
        if (type !== undefined) found.set(type.id, type);
      }
      for (const { imported, local, exported } of graph.factsOf(file)?.imports ?? [])
        if (names.has(imported)) {
          if (local !== undefined) names.add(local);
          if (exported !== undefined && exported !== "*") names.add(exported);
        }
      for (const [exported, inner] of graph.factsOf(file)?.exports ?? [])
        if (names.has(inner) && exported !== "default") names.add(exported);
    }
    pool = [...found.values()];
    addFamily();
    isGrowing = names.size > count;
  }
  return pool;
}

/** What a module exports by default has another name in each file that imports it. */
const importsDefault = /^import\s+[\p{L}_$][\p{L}\p{N}_$]*\s*(?:,|\bfrom\b)/mu;

function ancestorsOf(type: ProjectType, graph: TypeGraph): readonly ProjectType[] {
  const found = new Map<string, ProjectType>();
  const queue = [type];
  for (let at = 0; at < queue.length; at += 1)
    for (const above of graph.supersOf(queue[at] as ProjectType))
      if (above.kind === "instance" && above.type.id !== type.id && !found.has(above.type.id)) {
        found.set(above.type.id, above.type);
        queue.push(above.type);
      }
  return [...found.values()];
}

/** The types that inherit the member; in Go one that defines it itself does not. */
function heirsOf(
  definers: ReadonlyMap<string, ProjectType>,
  pool: readonly ProjectType[],
  search: Search,
): readonly ProjectType[] {
  const { graph, name } = search;
  return pool.filter((each) => {
    if (definers.has(each.id)) return false;
    if (languageOf(each, search) === "go" && defines(each, name)) return false;
    return ancestorsOf(each, graph).some(({ id }) => definers.has(id));
  });
}

/** Interfaces of Go that types of the family fulfil with the member, and the types that fulfil interfaces of it. */
function fulfilled(
  definers: ReadonlyMap<string, ProjectType>,
  pool: readonly ProjectType[],
  { graph, name }: Search,
): readonly ProjectType[] {
  const own = [...definers.values()];
  const isInterface = ({ definitions }: ProjectType): boolean =>
    definitions.some(({ type }) => type.isInterface);
  const fulfils = (type: ProjectType, wanted: ProjectType): boolean => {
    const methods = methodsOf(wanted, graph);
    const had = methodsOf(type, graph);
    return methods.size > 0 && [...methods].every(([each, count]) => takesAsMany(had, each, count));
  };
  return pool.filter((each) => {
    if (definers.has(each.id) || !defines(each, name)) return false;
    return own.some(
      (other) =>
        (isInterface(each) && fulfils(other, each)) || (isInterface(other) && fulfils(each, other)),
    );
  });
}

function methodsOf(type: ProjectType, graph: TypeGraph): GoMethods {
  // What a type defines itself hides what it inherits.
  const all = [...ancestorsOf(type, graph), type];
  return new Map(
    all.flatMap(({ members }) =>
      members
        .filter(({ member }) => member.isMethod)
        .map(({ member }) => [member.name, member.parameterCount] as const),
    ),
  );
}

/** Interfaces and protocols whose members a type of the family has all. */
function alikeIn(
  pool: readonly ProjectType[],
  family: {
    readonly definers: ReadonlyMap<string, ProjectType>;
    readonly types: ReadonlyMap<string, ProjectType>;
  },
  { graph, name }: Search,
): readonly ProjectType[] {
  const isShape = (type: ProjectType): boolean =>
    type.definitions.some(({ type: each }) => each.isInterface) ||
    graph
      .supersOf(type)
      .some((each) => each.kind === "external" && /(?:^|\.)Protocol$/.test(each.name));
  const namesOf = (type: ProjectType): ReadonlySet<string> =>
    new Set(
      [type, ...ancestorsOf(type, graph)].flatMap(({ members }) =>
        members.map(({ member }) => member.name),
      ),
    );
  const had = [...family.definers.values()].map(namesOf);
  return pool.filter((each) => {
    if (family.types.has(each.id) || !defines(each, name) || !isShape(each)) return false;
    const wanted = [...namesOf(each)];
    return had.some((names) => wanted.every((member) => names.has(member)));
  });
}

/** @returns Whether it extends a type from outside. @throws FamilyFault where that may have the member. */
function requireKnownSupers(type: ProjectType, { graph, name }: Search): boolean {
  let hasExternal = false;
  for (const above of graph.supersOf(type)) {
    if (isHarmless(above)) continue;
    const base = above.kind === "external" ? above.name.replace(/^.*\./, "") : "";
    const members =
      knownBases.get(base) ??
      (/(?:Error|Exception|Warning)$/.test(base) ? exceptionMembers : undefined);
    if (members === undefined)
      throw new FamilyFault(
        base === ""
          ? `what "${type.name}" extends is not known, and may have "${name}"`
          : `"${type.name}" extends "${base}", which is not in the tree and may have "${name}"`,
      );
    if (members.includes(name)) throw new FamilyFault(`"${base}" has "${name}" too`);
    hasExternal ||= !["object", "ABC", "Generic", "Protocol"].includes(base);
  }
  return hasExternal;
}

function isHarmless({ kind }: Value): boolean {
  return kind === "instance" || kind === "nothing" || kind === "foreign";
}
