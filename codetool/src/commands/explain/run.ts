import { errors } from "../../envelope/index.ts";
import { loadTokenCounter } from "../../text/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { nearNames } from "../nearest-name.ts";
import { leavingDamageAside } from "../open-index.ts";
import { displayRoot, resolveTarget, type Target } from "../paths.ts";
import { answerInOneState, type ProjectCorpus } from "../project/index.ts";
import { describe } from "./describe.ts";
import { findCallees } from "./find-callees.ts";
import { findCallers } from "./find-callers.ts";
import { findChanges } from "./find-changes.ts";
import {
  definedNames,
  findDefinitionsOf,
  type FoundDefinition,
  pathOfName,
} from "./find-definitions.ts";
import type { ExplainInput } from "./input.ts";
import { type ExplainPayload, explainPayload } from "./payload.ts";

/** The default budget: what one reads of a symbol before touching it. */
const budgetTokensDefault = 2000;
/** Names that an error lists. */
const nearCountMax = 5;

/** What is asked about. */
interface Asked {
  readonly name: string;
  readonly target: Target;
  /** Only definitions in the target count. */
  readonly isNarrowed: boolean;
}

/** Where the answer comes from. */
interface Source {
  readonly asked: Asked;
  readonly context: CommandContext;
  readonly project: ProjectCorpus;
  readonly readText: (file: number) => string | undefined;
}

/**
 * Explains a symbol.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a name that nothing defines, with the nearest names.
 */
export async function runExplain(
  input: ExplainInput,
  context: CommandContext,
): Promise<CommandResult<ExplainPayload>> {
  return await leavingDamageAside(context, async (own) => {
    const asked = readAsked(input, own);
    return await answerInOneState(
      { target: asked.target, context: own },
      async (project, readText) => await explain(input, { asked, context: own, project, readText }),
    );
  });
}

/** Takes `file:name` apart; a colon may be a part of a name, too. */
function readAsked({ symbol, path }: ExplainInput, context: CommandContext): Asked {
  const [, file, name] = /^(.*[^:]):([^:/]+(?:::[^:/]+)*)$/s.exec(symbol) ?? [];
  if (file !== undefined && name !== undefined && /[./\\]/.test(file)) {
    if (path !== undefined)
      throw new errors.invalid_argument({
        argument: `symbol ${symbol.slice(0, 100)}`,
        reason: "it names a file: give no path next to it",
      });
    return { name, target: resolveTarget(file, context), isNarrowed: true };
  }
  if (symbol.trim() === "")
    throw new errors.invalid_argument({ argument: "symbol", reason: "it is empty" });
  const target = resolveTarget(path ?? ".", context);
  return { name: symbol, target, isNarrowed: path !== undefined };
}

async function explain(
  input: ExplainInput,
  source: Source,
): Promise<CommandResult<ExplainPayload>> {
  const { asked, context, project, readText } = source;
  const [definition, ...others] = definitionsAsked(source);
  if (definition === undefined) throw unknownSymbol(source);
  const { file, startLine1, endLine1 } = definition;
  const path = project.absolutePathOf(file);
  // Git works in its own process meanwhile.
  const changing =
    input.no_changes === true
      ? undefined
      : findChanges(path, { start1: startLine1, end1: endLine1 }, context);
  const text = readText(file);
  const { callers, callerFileCount, tests, warnings } = findCallers({
    definition,
    project,
    context,
    readText,
  });
  const callees = text === undefined ? [] : findCallees(definition, text, { project, context });
  const changes = await changing;
  const data = explainPayload(
    {
      root: displayRoot(asked.target),
      symbol: input.symbol,
      definition: describe(definition, project, { text, hasCode: input.no_code !== true }),
      callers,
      callerFileCount,
      tests: input.no_tests === true ? [] : tests,
      callees,
      changes: changes?.history.commits ?? [],
      isUncommitted: changes?.history.isUncommitted === true,
      others: others.map((each) => otherOf(each, project)),
    },
    {
      budgetTokens: input.budget ?? budgetTokensDefault,
      countTokens: await loadTokenCounter(),
      isDefault: input.budget === undefined,
    },
  );
  const all = [...project.warnings, ...warnings, ...(changes?.warnings ?? [])];
  return all.length === 0 ? { data } : { data, warnings: all };
}

function otherOf(
  definition: FoundDefinition,
  project: ProjectCorpus,
): ExplainPayload["others"][number] {
  const { kind, file, startLine1 } = definition;
  return { name: pathOfName(definition), kind, file: project.shownPathOf(file), line: startLine1 };
}

function definitionsAsked(source: Source): FoundDefinition[] {
  return findDefinitionsOf(source.asked.name, source.project, wantedFiles(source));
}

/** The files whose definitions count. */
function wantedFiles({ asked, context, project }: Source): (file: number) => boolean {
  const { targetPath, corpus } = project;
  const isInside = (path: string): boolean =>
    targetPath === "" || path === targetPath || path.startsWith(`${targetPath}/`);
  return (file) =>
    (!asked.isNarrowed || isInside(corpus.pathOf(file))) &&
    (context.mayShow?.(project.absolutePathOf(file)) ?? true);
}

function unknownSymbol(source: Source): Error {
  const { asked, project } = source;
  const last = asked.name.split(/::|[/.#:]/).at(-1) ?? asked.name;
  const isWanted = wantedFiles(source);
  const near = nearNames(last, definedNames(project, isWanted)).slice(0, nearCountMax);
  const places = near.flatMap((name) => {
    const [first] = findDefinitionsOf(name, project, isWanted);
    return first === undefined
      ? []
      : [`${pathOfName(first)} (${project.shownPathOf(first.file)}:${first.startLine1})`];
  });
  const where = asked.isNarrowed ? "there" : "in the project";
  return new errors.invalid_argument({
    argument: `symbol ${asked.name.slice(0, 100)}`,
    reason:
      places.length === 0
        ? `it is not defined ${where}`
        : `it is not defined ${where}; nearest are ${places.join(", ")}`,
  });
}
