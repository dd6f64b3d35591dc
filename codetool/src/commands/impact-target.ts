import { errors } from "../envelope/index.ts";
import { languageOfPath } from "../files/index.ts";
import type { VisibleNames } from "../imports/index.ts";
import type { IndexedCorpus } from "../store/index.ts";
import { nearestName } from "./nearest-name.ts";
import { displayPath, type Target } from "./paths.ts";
import type { ProjectCorpus } from "./project-corpus.ts";

/** A definition that others can name. */
export interface ExportedSymbol {
  readonly name: string;
  /** As in outlines; `reexport` for what the file imports and offers on. */
  readonly kind: string;
  readonly line: number;
}

/** The file that `impact` is asked about, and which of its names count. */
export interface ImpactTarget {
  readonly path: string;
  /** `undefined` where the project does not have the file: it is ignored, or binary. */
  readonly number: number | undefined;
  readonly language: string | null;
  readonly symbol: string | null;
  /** What is asked about: all that the file offers, or the symbol. */
  readonly exports: readonly ExportedSymbol[];
  readonly visible: VisibleNames;
  readonly visibleInPackage: VisibleNames;
  /** The symbol belongs to a type. */
  readonly isMember: boolean;
  readonly warnings: readonly string[];
}

/** A definition of the file and where it stands. */
interface Definition extends ExportedSymbol {
  readonly isExported: boolean;
  /** The types around it, outermost first; none at file level. */
  readonly containers: readonly string[];
}

/**
 * Reads the file that is asked about from the project's index.
 *
 * @throws invalid_argument for a symbol that the file does not have.
 */
export function readImpactTarget(options: {
  readonly argument: string;
  readonly target: Target;
  readonly project: ProjectCorpus;
  readonly symbol: string | undefined;
  readonly readText: (file: number) => string | undefined;
}): ImpactTarget {
  const { argument, target, project, symbol, readText } = options;
  const path = displayPath(target, target.absolutePath);
  const language = languageOfPath(target.absolutePath);
  const number = project.numberAt(target.absolutePath);
  if (number === undefined) {
    if (symbol !== undefined) throw unknownSymbol({ argument, symbol, names: [] });
    const warnings = [`"${argument}" is ignored or no text: nothing is known of its dependents`];
    const none = { exports: [], visible: new Map(), visibleInPackage: new Map() };
    return { path, number, language, symbol: null, isMember: false, warnings, ...none };
  }
  const definitions = [
    ...definitionsOf(project.corpus, number),
    ...reexportsOf(project.corpus, number),
  ];
  const own = { path, number, language: project.corpus.file(number).language ?? language };
  const defaultName = defaultExportOf(own.language, () => readText(number));
  if (symbol !== undefined) {
    const asked = definitionsNamed(definitions, symbol, defaultName);
    if (asked.length === 0) {
      const names = definitions.map(({ name }) => name);
      throw unknownSymbol({ argument, symbol, names });
    }
    return { ...own, symbol, ...askedFor(asked, defaultName) };
  }
  const namespaces = project.corpus.importingFileOf(number)?.namespaces ?? [];
  // A namespace is no file's own.
  const isOwn = ({ kind, name }: Definition): boolean =>
    kind !== "module" || !namespaces.some((namespace) => namespace.endsWith(name));
  const outer = definitions.filter((each) => each.containers.length === 0 && isOwn(each));
  const exported = outer.filter(({ isExported }) => isExported);
  return {
    ...own,
    symbol: null,
    exports: printed(exported),
    visible: withDefault(exported, defaultName),
    visibleInPackage: namesOf(outer),
    isMember: false,
    warnings: [],
  };
}

function askedFor(
  asked: readonly Definition[],
  defaultName: string | undefined,
): Omit<ImpactTarget, "path" | "number" | "language" | "symbol"> {
  const outer = asked.filter(({ containers }) => containers.length === 0);
  if (outer.length > 0)
    return {
      exports: printed(outer),
      visible: withDefault(outer, defaultName),
      visibleInPackage: namesOf(outer),
      isMember: false,
      warnings: outer.some(({ isExported }) => isExported)
        ? []
        : [`"${outer[0]?.name}" is not exported: it can be used in its own file and package alone`],
    };
  // Others import the type and use the member.
  const visible = new Map<string, string>();
  for (const { name, containers } of asked) {
    const type = containers[0] ?? name;
    visible.set(type, name);
    if (type === defaultName) visible.set("default", name);
  }
  const visibleInPackage = namesOf(asked);
  return { exports: printed(asked), visible, visibleInPackage, isMember: true, warnings: [] };
}

/** All definitions of a file, those inside of namespaces as if they stood at file level. */
export function definitionsOf(corpus: IndexedCorpus, file: number): Definition[] {
  const symbols = corpus.symbolsOf(file);
  const elsewhere = corpus.containersOf(file);
  const containersOf = (at: number | null): string[] => {
    const symbol = at === null ? undefined : symbols[at];
    if (symbol === undefined) return [];
    const above = containersOf(symbol.parent);
    return symbol.kind === "module" ? above : [...above, symbol.name];
  };
  return symbols.map(({ name, kind, startLine1, isExported, parent }, at) => {
    const around = containersOf(parent);
    const container = elsewhere[at] ?? "";
    const containers = container === "" || kind === "function" ? around : [container, ...around];
    return { name, kind, line: startLine1, isExported, containers };
  });
}

/** Names that the file imports and offers on. */
function reexportsOf(corpus: IndexedCorpus, file: number): Definition[] {
  return (corpus.importingFileOf(file)?.imports ?? [])
    .filter(({ kind }) => kind === "reexport")
    .flatMap(({ names, line1 }) =>
      names
        .filter((name) => name !== "*")
        .map((name) => ({ name, kind: "reexport", line: line1, isExported: true, containers: [] })),
    );
}

function definitionsNamed(
  definitions: readonly Definition[],
  symbol: string,
  defaultName: string | undefined,
): Definition[] {
  if (symbol === "default" && defaultName !== undefined)
    return definitionsNamed(definitions, defaultName, undefined);
  const whole = definitions.filter(({ name }) => name === symbol);
  if (whole.length > 0) return whole;
  const parts = symbol.split(/\/|\.|::|#/).filter((part) => part !== "");
  const last = parts.pop();
  return definitions.filter(
    ({ name, containers }) =>
      name === last && parts.length > 0 && parts.every((part) => containers.includes(part)),
  );
}

function printed(definitions: readonly Definition[]): ExportedSymbol[] {
  return definitions.map(({ name, kind, line }) => ({ name, kind, line }));
}

function namesOf(definitions: readonly Definition[]): VisibleNames {
  return new Map(definitions.map(({ name }) => [name, name]));
}

function withDefault(
  definitions: readonly Definition[],
  defaultName: string | undefined,
): VisibleNames {
  const names = new Map(namesOf(definitions));
  if (defaultName !== undefined && names.has(defaultName)) names.set("default", defaultName);
  return names;
}

/** What `import x from` brings in of a file, by its name there. */
function defaultExportOf(
  language: string | null,
  readText: () => string | undefined,
): string | undefined {
  if (!/^(?:javascript|typescript|tsx)$/.test(language ?? "")) return undefined;
  const found =
    /\bexport\s+default\s+(?:abstract\s+)?(?:(?:async\s+)?function\b\s*\*?|class\b|interface\b)?\s*([\p{L}_$][\p{L}\p{N}_$]*)|\bexport\s*\{[^}]*?([\p{L}_$][\p{L}\p{N}_$]*)\s+as\s+default\b|\bmodule\.exports\s*=\s*([\p{L}_$][\p{L}\p{N}_$]*)|^export\s*=\s*([\p{L}_$][\p{L}\p{N}_$]*)/mu.exec(
      readText() ?? "",
    );
  return found?.slice(1).find((name) => name !== undefined);
}

function unknownSymbol(options: {
  readonly argument: string;
  readonly symbol: string;
  readonly names: readonly string[];
}): Error {
  const { argument, symbol, names } = options;
  const nearest = nearestName(symbol, names);
  const some = [...new Set(names)].slice(0, 8).join(", ");
  const hint = nearest === undefined ? `it has ${some || "none"}` : `did you mean "${nearest}"`;
  return new errors.invalid_argument({
    argument: `symbol ${symbol}`,
    reason: `"${argument}" has no symbol of this name; ${hint}`,
  });
}
