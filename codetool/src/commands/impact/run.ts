import { errors, fitBudget } from "../../envelope/index.ts";
import { classOfPath } from "../../files/index.ts";
import { findDependents, type SymbolDependent } from "../../imports/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { useLinesOf } from "./use-lines.ts";
import type { ImpactInput } from "./input.ts";
import type { Dependent, ImpactPayload } from "./payload.ts";
import { type ImpactTarget, readImpactTarget } from "./target.ts";
import { leavingDamageAside } from "../open-index.ts";
import { resolveTarget, type Target } from "../paths.ts";
import { answerInOneState, findUsersByName, type ProjectCorpus } from "../project/index.ts";
import { loadTokenCounter } from "../../text/index.ts";

/**
 * Lists the files that depend on a file.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a folder and for a symbol that the file does not have.
 */
export async function runImpact(
  input: ImpactInput,
  context: CommandContext,
): Promise<CommandResult<ImpactPayload>> {
  return await leavingDamageAside(context, async (own) => {
    const { file: argument } = input;
    const target = resolveTarget(argument, own);
    if (target.isDirectory)
      throw new errors.invalid_argument({
        argument,
        reason: "it is a folder, wanted a file; `codetool context` shows who imports a folder",
      });
    return await answerInOneState(
      { target, context: own },
      async (project, readText) =>
        await tellImpact(input, { target, context: own, project, readText }),
    );
  });
}

async function tellImpact(
  { file: argument, symbol, ...input }: ImpactInput,
  from: {
    readonly target: Target;
    readonly context: CommandContext;
    readonly project: ProjectCorpus;
    readonly readText: (file: number) => string | undefined;
  },
): Promise<CommandResult<ImpactPayload>> {
  const { target, context, project, readText } = from;
  const budgetTokens = input.budget;
  const asked = readImpactTarget({ argument, target, project, symbol, readText });
  const warnings = [...project.warnings, ...asked.warnings];
  const found =
    asked.number === undefined ? [] : dependentsOf(asked, { input, project, readText, warnings });
  const kept = asked.symbol === null || input.by_name === true ? found : found.filter(isBySymbol);
  if (kept.length < found.length) warnings.push(remarkOnByName(found.length - kept.length));
  const shown = kept
    .filter(({ file }) => context.mayShow?.(project.absolutePathOf(file)) ?? true)
    .map((dependent) => printed(dependent, { asked, project, readText }));
  const listed = input.no_tests === true ? shown.filter(({ is_test }) => is_test !== true) : shown;
  const data = await payloadOf(asked, listed, {
    testCount: shown.filter(({ is_test }) => is_test === true).length,
    budgetTokens,
  });
  return warnings.length === 0 ? { data } : { data, warnings };
}

function dependentsOf(
  asked: ImpactTarget,
  options: {
    readonly input: Pick<ImpactInput, "hops">;
    readonly project: ProjectCorpus;
    readonly readText: (file: number) => string | undefined;
    readonly warnings: string[];
  },
): readonly SymbolDependent[] {
  const { input, project, readText, warnings } = options;
  const { corpus } = project;
  const files = corpus.importingFiles();
  const { dependents, isComplete } = findDependents({
    graph: corpus.importGraph,
    resolver: project.resolver(),
    fileOf: (file) => files[file] as (typeof files)[number],
    readText,
    target: asked.number as number,
    visible: asked.visible,
    visibleInPackage: asked.visibleInPackage,
    isBySymbol: asked.symbol !== null,
    isMember: asked.isMember,
    byName: findUsersByName(asked, { corpus, readText }),
    ...(input.hops === undefined ? {} : { hopsMax: input.hops }),
  });
  if (!isComplete) warnings.push("There are too many dependents: some were not looked at");
  return dependents;
}

/** False for a file that only shares a package with one that uses the symbol, or with the symbol's own. */
function isBySymbol({ confidence, symbolsUsed }: SymbolDependent): boolean {
  return confidence !== "name" || symbolsUsed.length > 0;
}

function remarkOnByName(count: number): string {
  const files = count === 1 ? "1 file that is" : `${count} files that are`;
  return `${files} known only by names of a package, not by the symbol, are left out: --by-name lists them`;
}

function printed(
  dependent: SymbolDependent,
  from: {
    readonly asked: ImpactTarget;
    readonly project: ProjectCorpus;
    readonly readText: (file: number) => string | undefined;
  },
): Dependent {
  const { file, hops, via, symbolsUsed, confidence } = dependent;
  const { asked, project, readText } = from;
  const path = project.corpus.pathOf(file);
  const name = asked.exports[0];
  const isUser = symbolsUsed.length > 0 || confidence === "unknown";
  const text = asked.symbol === null || !isUser ? undefined : readText(file);
  const { language } = project.corpus.file(file);
  return {
    file: project.shownPathOf(file),
    hops,
    symbols_used: symbolsUsed,
    confidence,
    ...(text === undefined || name === undefined ? {} : useLinesOf(text, language, name)),
    ...(classOfPath(path) === "test" ? { is_test: true } : {}),
    ...(via === undefined ? {} : { via: project.shownPathOf(via) }),
  };
}

type Item =
  | { readonly kind: "export"; readonly value: string }
  | { readonly kind: "dependent"; readonly value: Dependent };

/** Exports that a budget gives room before any dependent. */
const exportsFirstMax = 10;

async function payloadOf(
  asked: ImpactTarget,
  listed: readonly Dependent[],
  options: { readonly testCount: number; readonly budgetTokens: number | undefined },
): Promise<ImpactPayload> {
  const direct = listed.filter(({ hops }) => hops === 1).length;
  const { root, path, symbol } = asked;
  const head = { root, target: path, ...(symbol === null ? {} : { symbol }) };
  const stats = { direct, transitive: listed.length - direct, test_files: options.testCount };
  if (options.budgetTokens === undefined)
    return { ...head, exports: asked.exports, dependents: listed, stats };
  const exported = asked.exports.map((value): Item => ({ kind: "export", value }));
  const items: Item[] = [
    ...exported.slice(0, exportsFirstMax),
    ...listed.map((value): Item => ({ kind: "dependent", value })),
    ...exported.slice(exportsFirstMax),
  ];
  const { data } = fitBudget({
    items,
    budgetTokens: options.budgetTokens,
    countTokens: await loadTokenCounter(),
    addedText: ({ value }) => `${JSON.stringify(value)},`,
    render: (kept, budgetUsed, isTruncated) => ({
      ...head,
      exports: kept.flatMap((item) => (item.kind === "export" ? [item.value] : [])),
      dependents: kept.flatMap((item) => (item.kind === "dependent" ? [item.value] : [])),
      stats: { ...stats, budget_used: budgetUsed },
      truncated: isTruncated,
    }),
  });
  return data;
}
