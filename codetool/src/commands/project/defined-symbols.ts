import type { VisibleNames } from "../../imports/index.ts";
import type { IndexedCorpus } from "../../store/index.ts";
import { isDataFormat } from "../../syntax/index.ts";

/** A definition of the file. */
export interface DefinedSymbol {
  readonly name: string;
  /** As in outlines; `reexport` for what the file imports and exports again. */
  readonly kind: string;
  readonly isExported: boolean;
  /** The types around it, outermost first; none at file level. */
  readonly containers: readonly string[];
}

/** All definitions of a file; a data format has none. Definitions inside of modules and namespaces count as file level. */
export function definitionsOf(corpus: IndexedCorpus, file: number): DefinedSymbol[] {
  if (isDataFormat(corpus.file(file).language)) return [];
  const symbols = corpus.symbolsOf(file);
  const elsewhere = corpus.containersOf(file);
  const containersOf = (at: number | null): string[] => {
    const symbol = at === null ? undefined : symbols[at];
    if (symbol === undefined) return [];
    const above = containersOf(symbol.parent);
    return symbol.kind === "module" ? above : [...above, symbol.name];
  };
  return symbols.map(({ name, kind, isExported, parent }, at) => {
    const around = containersOf(parent);
    const container = elsewhere[at] ?? "";
    const containers = container === "" || kind === "function" ? around : [container, ...around];
    return { name, kind, isExported, containers };
  });
}

/** Names that the file imports and exports again. */
export function reexportsOf(corpus: IndexedCorpus, file: number): DefinedSymbol[] {
  return (corpus.importingFileOf(file)?.imports ?? [])
    .filter(({ kind }) => kind === "reexport")
    .flatMap(({ names }) =>
      names
        .filter((name) => name !== "*")
        .map((name) => ({ name, kind: "reexport", isExported: true, containers: [] })),
    );
}

/** The definitions at file level, without the namespaces that the file says it belongs to. */
export function outerDefinitions(
  corpus: IndexedCorpus,
  file: number,
  definitions: readonly DefinedSymbol[],
): DefinedSymbol[] {
  const namespaces = corpus.importingFileOf(file)?.namespaces ?? [];
  const isOwn = ({ kind, name }: DefinedSymbol): boolean =>
    kind !== "module" || !namespaces.some((namespace) => namespace.endsWith(name));
  return definitions.filter((each) => each.containers.length === 0 && isOwn(each));
}

/** The names that other files can import from a file, and the names that its own package can use. */
export function visibleNamesOf(
  corpus: IndexedCorpus,
  file: number,
  readText: (file: number) => string | undefined,
): { readonly visible: VisibleNames; readonly visibleInPackage: VisibleNames } {
  const definitions = [...definitionsOf(corpus, file), ...reexportsOf(corpus, file)];
  const outer = outerDefinitions(corpus, file, definitions);
  const exported = outer.filter(({ isExported }) => isExported);
  const defaultName = defaultExportOf(corpus.file(file).language, () => readText(file));
  return { visible: withDefault(exported, defaultName), visibleInPackage: namesOf(outer) };
}

/**
 * The names by which others use some definitions of one name: where any is at file level only those count, else they are
 * members, of which others import the type.
 */
export function namesAsked(
  asked: readonly DefinedSymbol[],
  defaultName: string | undefined,
): {
  readonly visible: VisibleNames;
  readonly visibleInPackage: VisibleNames;
  readonly isMember: boolean;
  /** Those that count. */
  readonly counted: readonly DefinedSymbol[];
} {
  const outer = asked.filter(({ containers }) => containers.length === 0);
  if (outer.length > 0)
    return {
      visible: withDefault(outer, defaultName),
      visibleInPackage: namesOf(outer),
      isMember: false,
      counted: outer,
    };
  const visible = new Map<string, string>();
  for (const { name, containers } of asked) {
    const type = containers[0] ?? name;
    visible.set(type, name);
    if (type === defaultName) visible.set("default", name);
  }
  return { visible, visibleInPackage: namesOf(asked), isMember: true, counted: asked };
}

/** Names that are used as they are written. */
export function namesOf(definitions: readonly DefinedSymbol[]): VisibleNames {
  return new Map(definitions.map(({ name }) => [name, name]));
}

/** The same, and `default` for the default export. */
export function withDefault(
  definitions: readonly DefinedSymbol[],
  defaultName: string | undefined,
): VisibleNames {
  const names = new Map(namesOf(definitions));
  if (defaultName !== undefined && names.has(defaultName)) names.set("default", defaultName);
  return names;
}

/** The name inside of the file of what `import x from` imports. */
export function defaultExportOf(
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
