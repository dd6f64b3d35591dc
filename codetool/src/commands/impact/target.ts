import { errors } from "../../envelope/index.ts";
import { languageOfPath } from "../../files/index.ts";
import type { VisibleNames } from "../../imports/index.ts";
import {
  defaultExportOf,
  type DefinedSymbol,
  definitionsOf,
  namesAsked,
  namesOf,
  outerDefinitions,
  type ProjectCorpus,
  reexportsOf,
  withDefault,
} from "../project/index.ts";
import { nearestName } from "../nearest-name.ts";
import { displayPath, displayRoot, type Target } from "../paths.ts";

/** The file that `impact` is asked about, and which of its names count. */
export interface ImpactTarget {
  readonly root: string;
  readonly path: string;
  /** `undefined` where the project does not have the file: it is ignored, or binary. */
  readonly number: number | undefined;
  readonly language: string | null;
  readonly symbol: string | null;
  /** The names asked about: all exports of the file, or the symbol. */
  readonly exports: readonly string[];
  readonly visible: VisibleNames;
  readonly visibleInPackage: VisibleNames;
  /** The symbol belongs to a type. */
  readonly isMember: boolean;
  readonly warnings: readonly string[];
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
  const shown = { root: displayRoot(target), path: displayPath(target, target.absolutePath) };
  const language = languageOfPath(target.absolutePath);
  const number = project.numberAt(target.absolutePath);
  if (number === undefined) {
    if (symbol !== undefined) throw unknownSymbol({ argument, symbol, names: [] });
    const warnings = [`"${argument}" is ignored or is not text: its dependents are not known`];
    const none = { exports: [], visible: new Map(), visibleInPackage: new Map() };
    return { ...shown, number, language, symbol: null, isMember: false, warnings, ...none };
  }
  const definitions = [
    ...definitionsOf(project.corpus, number),
    ...reexportsOf(project.corpus, number),
  ];
  const own = { ...shown, number, language: project.corpus.file(number).language ?? language };
  const defaultName = defaultExportOf(own.language, () => readText(number));
  if (symbol !== undefined) {
    const asked = definitionsNamed(definitions, symbol, defaultName);
    if (asked.length === 0) {
      const names = definitions.map(({ name }) => name);
      throw unknownSymbol({ argument, symbol, names });
    }
    return { ...own, symbol, ...askedFor(asked, defaultName) };
  }
  const outer = outerDefinitions(project.corpus, number, definitions);
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
  asked: readonly DefinedSymbol[],
  defaultName: string | undefined,
): Omit<ImpactTarget, "root" | "path" | "number" | "language" | "symbol"> {
  const { isMember, counted, ...names } = namesAsked(asked, defaultName);
  const isHidden = !isMember && !counted.some(({ isExported }) => isExported);
  return {
    ...names,
    isMember,
    exports: printed(counted),
    warnings: isHidden
      ? [`"${counted[0]?.name}" is not exported: only its own file and package can use it`]
      : [],
  };
}

function definitionsNamed(
  definitions: readonly DefinedSymbol[],
  symbol: string,
  defaultName: string | undefined,
): DefinedSymbol[] {
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

/** Overloads have one name. */
function printed(definitions: readonly DefinedSymbol[]): string[] {
  return [...new Set(definitions.map(({ name }) => name))];
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
