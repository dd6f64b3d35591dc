import { type CodeWord, readCodeWords } from "../../imports/index.ts";
import type { CommandContext } from "../command.ts";
import type { ProjectCorpus } from "../project/index.ts";
import type { Callee } from "./payload.ts";
import { definitionsIn, type FoundDefinition, pathOfName } from "./find-definitions.ts";
import { importLinesOf, localNamesOf } from "./import-lines.ts";
import { lastOf } from "./use-places.ts";

/** Words of one definition that are looked at. */
const wordCountMax = 4000;
/** A name is followed through this many files that offer it on. */
const offersMax = 4;
/** An import this sure goes by the rules of the language. */
const resolvedConfidenceMin = 0.95;
/** A shorter name that no import leads to says nothing. */
const nameLengthMin = 3;

type Confidence = "resolved" | "likely" | "name";
const order: readonly string[] = ["resolved", "likely", "name"] satisfies Confidence[];

interface Meant {
  readonly definition: FoundDefinition;
  readonly confidence: Confidence;
}

/** Finds the definitions of the project that the code of a definition uses: the sure ones first, then as they come. */
export function findCallees(
  definition: FoundDefinition,
  text: string,
  { project, context }: { readonly project: ProjectCorpus; readonly context: CommandContext },
): Callee[] {
  const { corpus, shownPathOf } = project;
  const { file, at } = definition;
  const [startByte = 0, , endByte = 0] = corpus.symbolBytesOf(file).subarray(3 * at, 3 * at + 3);
  const bytes = Buffer.from(text, "utf8");
  const from = bytes.toString("utf8", 0, startByte).length;
  const to = from + bytes.toString("utf8", startByte, endByte).length;
  const { language } = corpus.file(file);
  const meaning = new Meaning(definition, text, project);
  const found = new Map<string, Meant>();
  for (const word of readCodeWords(text, language, { from, to }).slice(0, wordCountMax)) {
    const meant = meaning.of(word);
    if (meant === undefined) continue;
    const key = `${meant.definition.file} ${meant.definition.at}`;
    const known = found.get(key);
    if (known === undefined || order.indexOf(meant.confidence) < order.indexOf(known.confidence))
      found.set(key, meant);
  }
  return [...found.values()]
    .filter((each) => context.mayShow?.(project.absolutePathOf(each.definition.file)) ?? true)
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(({ definition: each, confidence }) => ({
      name: pathOfName(each),
      kind: each.kind,
      file: shownPathOf(each.file),
      line: each.startLine1,
      signature: corpus.signaturesOf(each.file)[each.at] ?? each.name,
      confidence,
    }));
}

/** By confidence; what is called before types, and those before values. */
function rankOf({ definition, confidence }: Meant): number {
  const { kind } = definition;
  const isCallable = kind === "function" || kind === "method";
  return order.indexOf(confidence) * 3 + (isCallable ? 0 : kind === "const" ? 2 : 1);
}

/** Says what the words of one definition mean. */
class Meaning {
  readonly #definition: FoundDefinition;
  readonly #project: ProjectCorpus;
  readonly #own: readonly FoundDefinition[];
  readonly #parameters: ReadonlySet<string>;
  /** What a name of an import leads to: the files, the name there, and how sure that is. */
  readonly #imported = new Map<string, { file: number; name: string; confidence: number }[]>();
  /** Files whose names need no qualifier, or any: whole modules, packages, headers. */
  readonly #near: ReadonlySet<number>;
  readonly #modules = new Map<string, Set<number>>();
  readonly #known = new Map<string, Meant | undefined>();

  constructor(definition: FoundDefinition, text: string, project: ProjectCorpus) {
    this.#definition = definition;
    this.#project = project;
    const { corpus } = project;
    const { file, at, name } = definition;
    this.#own = definitionsIn(file, project);
    const signature = corpus.signaturesOf(file)[at] ?? "";
    this.#parameters = new Set(
      signature
        .slice(signature.indexOf(name) + name.length)
        .matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?=\s*[?]?\s*[:,)=]| \w)/gu)
        .map(([word]) => word),
    );
    const { starts, files } = corpus.importGraph.imports;
    this.#near = new Set(files.subarray(starts[file], starts[file + 1]));
    this.#readImports(text);
  }

  of(word: CodeWord): Meant | undefined {
    const isCalled = /^(?:\(|<|!|::|\{|\[)/.test(word.after);
    const key = `${word.qualifier ?? (word.isMember ? "." : "")} ${word.word} ${isCalled}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#find(word, isCalled));
    return this.#known.get(key);
  }

  #find(word: CodeWord, isCalled: boolean): Meant | undefined {
    if (!word.isMember) return this.#bare(word.word, isCalled);
    const { qualifier, word: name } = word;
    if (qualifier === undefined) return this.#member(name, isCalled);
    if (/^(?:this|self|cls|Self|super|static|parent)$/.test(qualifier))
      return this.#ownMember(name);
    const found = this.#ofModule(qualifier, name) ?? this.#ofType(qualifier, name);
    // A type that the project does not have: `Math.round`.
    if (found !== undefined || /^\p{Lu}/u.test(qualifier)) return found;
    return this.#member(name, isCalled);
  }

  #bare(name: string, isCalled: boolean): Meant | undefined {
    const { containers } = this.#definition;
    const own = this.#own.filter(
      (each) =>
        lastOf(each.name) === name &&
        !this.#isInside(each) &&
        (each.containers.length === 0 ||
          each.containers.every((type) => containers.includes(type))) &&
        !each.isLocal,
    );
    const isShadowed = this.#parameters.has(name) && !isCalled;
    const first = isShadowed ? undefined : own[0];
    if (first !== undefined)
      return first.at === this.#definition.at
        ? undefined
        : { definition: first, confidence: "resolved" };
    for (const { file, name: there, confidence } of this.#imported.get(name) ?? []) {
      const definition = this.#offered(file, there, offersMax);
      if (definition !== undefined && !isShadowed)
        return {
          definition,
          confidence: confidence >= resolvedConfidenceMin ? "resolved" : "likely",
        };
    }
    if (isShadowed || name.length < nameLengthMin) return undefined;
    return this.#beside(name, isCalled);
  }

  /** What needs no name of an import: of the same package, of a header or a module that is imported whole. */
  #beside(name: string, isCalled: boolean): Meant | undefined {
    const outer = this.#outer(name);
    const near = outer.filter(({ file }) => this.#near.has(file));
    const [best] = near;
    if (best !== undefined && (isCalled || best.kind !== "const"))
      return {
        definition: this.#withBody(best, outer),
        confidence: near.length === 1 ? "likely" : "name",
      };
    const [only, ...others] = outer;
    if (only === undefined || !isCalled) return undefined;
    const isOne = others.every(({ file }) => file === only.file) || this.#isC();
    return isOne ? { definition: this.#withBody(only, outer), confidence: "name" } : undefined;
  }

  /** In C a function is defined elsewhere than its header declares it. */
  #withBody(found: FoundDefinition, all: readonly FoundDefinition[]): FoundDefinition {
    if (!this.#isC()) return found;
    const isWhole = ({ file, at }: FoundDefinition): boolean => {
      const bytes = this.#project.corpus.symbolBytesOf(file);
      return bytes[3 * at + 1] !== bytes[3 * at + 2];
    };
    const whole = all.filter((each) => each.kind === found.kind && isWhole(each));
    return whole.length === 1 ? (whole[0] ?? found) : found;
  }

  #ownMember(name: string): Meant | undefined {
    const { containers, file, name: ownName, kind } = this.#definition;
    const types = /^(?:function|method)$/.test(kind) ? containers : [...containers, ownName];
    const own = this.#own.find(
      (each) => lastOf(each.name) === name && each.containers.some((type) => types.includes(type)),
    );
    if (own !== undefined)
      return own.at === this.#definition.at
        ? undefined
        : { definition: own, confidence: "resolved" };
    // Inherited, or of a type that several files make up.
    const members = this.#members(name).filter((each) => each.file !== file);
    const ofType = members.filter(({ containers: each }) =>
      each.some((type) => types.includes(type)),
    );
    if (ofType[0] !== undefined) return { definition: ofType[0], confidence: "likely" };
    return this.#single(members);
  }

  #ofModule(qualifier: string, name: string): Meant | undefined {
    const files = this.#modules.get(qualifier);
    if (files === undefined) return undefined;
    for (const file of files) {
      const definition = this.#offered(file, name, offersMax);
      if (definition !== undefined) return { definition, confidence: "resolved" };
    }
    return undefined;
  }

  /** A member of a type that is named before the dot. */
  #ofType(qualifier: string, name: string): Meant | undefined {
    const members = this.#members(name).filter(({ containers }) =>
      containers.some((type) => lastOf(type) === qualifier),
    );
    const own = members.find(({ file }) => file === this.#definition.file || this.#near.has(file));
    if (own !== undefined) return { definition: own, confidence: "resolved" };
    return members[0] === undefined ? undefined : { definition: members[0], confidence: "likely" };
  }

  /** A member of a value whose type is not known. */
  #member(name: string, isCalled: boolean): Meant | undefined {
    if (!isCalled || name.length < nameLengthMin) return undefined;
    return this.#single(this.#members(name));
  }

  #single(members: readonly FoundDefinition[]): Meant | undefined {
    const near = members.filter(
      ({ file }) => file === this.#definition.file || this.#near.has(file),
    );
    const [only, ...others] = near.length > 0 ? near : members;
    if (
      only === undefined ||
      others.some(
        (each) => each.file !== only.file || each.containers.at(-1) !== only.containers.at(-1),
      )
    )
      return undefined;
    if (only.file === this.#definition.file && only.at === this.#definition.at) return undefined;
    return {
      definition: only,
      confidence: near.length > 0 && members.length === 1 ? "likely" : "name",
    };
  }

  #members(name: string): FoundDefinition[] {
    return this.#named(name).filter(
      ({ containers, kind, isLocal }) => containers.length > 0 && kind !== "const" && !isLocal,
    );
  }

  #outer(name: string): FoundDefinition[] {
    return this.#named(name).filter(
      ({ containers, isLocal }) => containers.length === 0 && !isLocal,
    );
  }

  /** Definitions of a name in the languages that can use each other. */
  #named(name: string): FoundDefinition[] {
    const { corpus } = this.#project;
    const family = familyOf(corpus.file(this.#definition.file).language);
    const files = new Set(corpus.symbolsNamed(name).map(({ file }) => file));
    return [...files]
      .filter((file) => familyOf(corpus.file(file).language) === family)
      .flatMap((file) => definitionsIn(file, this.#project))
      .filter((each) => lastOf(each.name) === name);
  }

  /** A name of a file, or of one that it has the name from. */
  #offered(file: number, name: string, stepsLeft: number): FoundDefinition | undefined {
    const { corpus, resolver } = this.#project;
    const found = definitionsIn(file, this.#project).find(
      (each) => lastOf(each.name) === name && each.containers.length === 0 && !each.isLocal,
    );
    if (found !== undefined || stepsLeft === 0) return found;
    const importing = corpus.importingFileOf(file);
    for (const reference of importing?.imports ?? []) {
      if (!reference.names.includes(name) && !reference.names.includes("*")) continue;
      for (const { file: other } of resolver().resolve(
        importing as NonNullable<typeof importing>,
        reference,
      )) {
        if (other === file) continue;
        const offered = this.#offered(other, name, stepsLeft - 1);
        if (offered !== undefined) return offered;
      }
    }
    return undefined;
  }

  #readImports(text: string): void {
    const { corpus, resolver } = this.#project;
    const importing = corpus.importingFileOf(this.#definition.file);
    if (importing === undefined) return;
    const lines = text.split("\n");
    for (const reference of importing.imports) {
      const files = resolver().resolve(importing, reference);
      if (files.length === 0) continue;
      const own = { imports: [reference] };
      const isWhole = reference.names.length === 0 || reference.names.includes("*");
      for (const name of reference.names)
        for (const local of localNamesOf(own, lines, [name])) {
          const list = this.#imported.get(local) ?? [];
          this.#imported.set(local, list);
          for (const { file, confidence } of files) list.push({ file, name, confidence });
        }
      const statement = [...importLinesOf(own, lines)].map((line1) => lines[line1 - 1]).join(" ");
      const names = [
        ...moduleNamesOf(reference.specifier, statement),
        ...(isWhole ? [] : reference.names),
      ];
      for (const name of names) {
        const module = this.#modules.get(name) ?? new Set();
        this.#modules.set(name, module);
        for (const { file } of files) module.add(file);
      }
    }
  }

  /** It is a part of the definition that is explained. */
  #isInside({ startLine1, endLine1, at }: FoundDefinition): boolean {
    const { startLine1: start, endLine1: end, at: own } = this.#definition;
    return at !== own && start <= startLine1 && endLine1 <= end;
  }

  #isC(): boolean {
    return familyOf(this.#project.corpus.file(this.#definition.file).language) === "c";
  }
}

/** The words by which code names a module that it imports: the alias, else the last part of its path. */
function moduleNamesOf(specifier: string, statement: string): string[] {
  const alias =
    /\bas\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(statement)?.[1] ??
    /^\s*(?:import\s+)?([\p{L}_][\p{L}\p{N}_]*)\s+"/u.exec(statement)?.[1] ??
    /\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:await\s+import|require)/.exec(statement)?.[1];
  const last = specifier
    .replace(/\.[a-z]{1,4}$/, "")
    .split(/[/.:\\]+/)
    .findLast((part) => part !== "" && !/^v\d+$/.test(part));
  return [alias, last].filter((name) => name !== undefined);
}

function familyOf(language: string | null): string {
  if (language === "c" || language === "cpp") return "c";
  if (/^(?:javascript|typescript|tsx)$/.test(language ?? "")) return "ecmascript";
  if (/^(?:java|kotlin|scala)$/.test(language ?? "")) return "jvm";
  return language ?? "";
}
