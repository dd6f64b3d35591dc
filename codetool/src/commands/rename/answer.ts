import { CommandError, errors, fitBudget } from "../../envelope/index.ts";
import { loadTokenCounter } from "../../text/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { editPlaces } from "../edit/index.ts";
import type { RenameInput } from "./input.ts";
import type { DefinitionPlace, FoundPlaces, MentionedPlace, RenamePayload } from "./payload.ts";
import { renderPlainMentions } from "./plain.ts";

/** Places that are listed as unresolved. */
const unresolvedCountMax = 200;
/** Lines of comments and strings that are listed. */
const mentionCountMax = 100;
/** Tokens that joining two parts of an answer may cost. */
const seamTokens = 8;

type Rest = Omit<RenamePayload, keyof Awaited<ReturnType<typeof editPlaces>>["data"]>;

/**
 * Changes the places of a rename, where it is applied, and describes what stays. Of a budget the unresolved places are
 * taken first, then the changes, then the mentions.
 *
 * @throws what `editPlaces` throws; budget_exceeded where the unresolved places do not fit. No file is changed then.
 */
export async function answerRename(
  found: FoundPlaces,
  definition: DefinitionPlace,
  { input, context }: { readonly input: RenameInput; readonly context: CommandContext },
): Promise<CommandResult<RenamePayload>> {
  const { places, unresolved, mentions } = found;
  const rest: Rest = {
    definition,
    ...(found.members === undefined ? {} : { members: found.members }),
    unresolved: unresolved.slice(0, unresolvedCountMax),
    total_unresolved: unresolved.length,
    mentions: [],
    total_mentions: mentions.length,
  };
  const { budget } = input;
  const taken = budget === undefined ? 0 : await tokensOf(rest);
  const left = budget === undefined ? undefined : Math.max(0, budget - taken);
  const changes = { places, isApplied: input.apply === true, budget: left };
  const edited = await namingWholeBudget(
    async () => await editPlaces(changes, context),
    budget,
    taken,
  );
  const data = await withMentions({ ...edited.data, ...rest }, mentions, budget);
  const { plain } = edited;
  return {
    data,
    warnings: [
      ...(edited.warnings ?? []),
      ...leftWarning(unresolved.length),
      ...mentionWarning(mentions.length),
    ],
    ...(unresolved.length > 0 || plain === undefined || data.truncated === true
      ? {}
      : { plain: () => plain() + renderPlainMentions(data) }),
  };
}

async function tokensOf(rest: Rest): Promise<number> {
  return (await loadTokenCounter())(JSON.stringify(rest)) + seamTokens;
}

/** An error about what is left of a budget says so of the whole. */
async function namingWholeBudget<Result>(
  run: () => Promise<Result>,
  budget: number | undefined,
  taken: number,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isOfBudget = error instanceof CommandError && error.code === "budget_exceeded";
    if (!isOfBudget || budget === undefined) throw error;
    throw new errors.budget_exceeded({ budget, needed: Number(error.details["needed"]) + taken });
  }
}

async function withMentions(
  data: RenamePayload,
  mentions: readonly MentionedPlace[],
  budgetTokens: number | undefined,
): Promise<RenamePayload> {
  const items = mentions.slice(0, mentionCountMax);
  if (budgetTokens === undefined) return { ...data, mentions: items };
  return fitBudget({
    items,
    budgetTokens,
    countTokens: await loadTokenCounter(),
    addedText: (item) => `${JSON.stringify(item)},`,
    render: (kept, _used, isTruncated): RenamePayload => ({
      ...data,
      mentions: kept,
      ...(isTruncated ? { truncated: true } : {}),
    }),
  }).data;
}

function leftWarning(count: number): string[] {
  if (count === 0) return [];
  const places = count === 1 ? "1 place was" : `${count} places were`;
  return [`${places} left as they are, because what they mean is not known: see "unresolved"`];
}

function mentionWarning(count: number): string[] {
  if (count === 0) return [];
  const lines = count === 1 ? "1 line has the name" : `${count} lines have the name`;
  return [`${lines} in a comment or a string, and stayed as they are: see "mentions"`];
}
