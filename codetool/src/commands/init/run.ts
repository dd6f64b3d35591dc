import { existsSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import process from "node:process";
import { lineHunksOf, tightHunk, unifiedDiff } from "../../edits/index.ts";
import { CommandError, errors } from "../../envelope/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { requireBudget } from "../require-budget.ts";
import { readConfigFile } from "./config-file.ts";
import {
  block,
  type FileAddition,
  type Framework,
  frameworks,
  serviceStartFile,
} from "./frameworks.ts";
import type { InitInput, Scope } from "./input.ts";
import { backupPath, type Ledger, type LedgerEntry, readLedger } from "./ledger.ts";
import { makeLinks } from "./links.ts";
import type { InitFile, InitFramework, InitPayload } from "./payload.ts";
import { homeOf, type Machine, userPlaces } from "./places.ts";
import { planAddition, type PlannedFile, planRemoval } from "./plan.ts";
import { findProgram, serverCommand } from "./server-command.ts";
import { holdLedger, writePlan } from "./write.ts";

/** What is to be done below one home or project. */
interface Task {
  readonly base: string;
  readonly plan: (ledger: Ledger) => Promise<readonly FrameworkPlan[]>;
}

/** What is to be done for one framework, or why it cannot be. */
interface FrameworkPlan {
  readonly framework: string;
  readonly files: readonly PlannedFile[];
  readonly error?: CommandError;
}

/** The name under which instruction files of a project are recorded. */
const instructionsName = "agents-md";
/** The name under which it is recorded that questions start the service. */
const serviceName = "serve";

/** Runs `init`. */
export async function runInit(
  input: InitInput,
  context: CommandContext,
): Promise<CommandResult<InitPayload>> {
  const { environment, workingDirectory } = context;
  const { platform } = process;
  const machine = { platform, environment, home: homeOf(environment), workingDirectory };
  const warnings: string[] = [];
  const linksOnly = input.links !== undefined && !namesFrameworks(input);
  const tasks = linksOnly ? [] : tasksOf(input, { machine, context, warnings });
  const isDryRun = input.dry_run === true;
  const done: InitFramework[] = [];
  const failures: CommandError[] = [];
  for (const task of tasks) {
    const isOfHome = task.base === machine.home;
    const options = { isDryRun, isOfHome, budget: input.budget };
    const { plans, entries } = await carryOut(task, options);
    for (const plan of plans) {
      if (plan.error !== undefined) failures.push(plan.error);
      done.push(shown(plan, { entries, base: task.base, machine, isDryRun }));
      warnings.push(...plan.files.flatMap(({ warning }) => warning ?? []));
    }
  }
  const [failure] = failures;
  if (failure !== undefined && failures.length === done.length) throw failure;
  const links = makeLinks(input, context);
  if (input.remove === true && done.length === 0 && links === undefined)
    warnings.push("Nothing that init has written is recorded here");
  return {
    data: {
      dry_run: isDryRun,
      applied: !isDryRun,
      frameworks: done,
      ...(links === undefined ? {} : { links }),
    },
    warnings,
    ...(failure === undefined ? {} : { exitCode: 1 }),
  };
}

function namesFrameworks({ agent, scope, ...others }: InitInput): boolean {
  const { agents_md: isInstructions, serve: isServed } = others;
  return agent !== undefined || scope !== undefined || isInstructions === true || isServed === true;
}

interface CarryOutOptions {
  readonly isDryRun: boolean;
  /** True for what is recorded in the home, false in a project. */
  readonly isOfHome: boolean;
  readonly budget: number | undefined;
}

/** Plans, and writes what was planned while nobody else does; what is right already needs no write. */
async function carryOut(
  { base, plan }: Task,
  { isDryRun, isOfHome, budget }: CarryOutOptions,
): Promise<{ readonly plans: readonly FrameworkPlan[]; readonly entries: readonly LedgerEntry[] }> {
  const ledger = readLedger(base, isOfHome);
  const plans = await plan(ledger);
  if (isDryRun || !hasChanges(plans)) return { plans, entries: ledger.entries };
  await requireBudget(
    plans.map(({ framework, files }) => [framework, files.map(({ path }) => path)]),
    budget,
  );
  using _held = await holdLedger(base);
  const held = readLedger(base, isOfHome);
  const final = await plan(held);
  if (!hasChanges(final)) return { plans: final, entries: held.entries };
  const before = held.entries;
  const after = await writePlan(
    final.flatMap(({ files }) => files),
    held,
  );
  return { plans: final, entries: [...after, ...before] };
}

function hasChanges(plans: readonly FrameworkPlan[]): boolean {
  return plans.some(({ files }) =>
    files.some(
      ({ action, entry, nextEntry }) =>
        action !== "unchanged" || JSON.stringify(entry) !== JSON.stringify(nextEntry),
    ),
  );
}

interface Surroundings {
  readonly machine: Machine;
  readonly context: CommandContext;
  readonly warnings: string[];
}

function tasksOf(input: InitInput, surroundings: Surroundings): readonly Task[] {
  return input.remove === true ? removals(input, surroundings) : additions(input, surroundings);
}

function removals(input: InitInput, { machine }: Surroundings): readonly Task[] {
  const { home, workingDirectory } = machine;
  const { agent, scope, agents_md: isInstructions = false, serve: isServed = false } = input;
  const isScope = (one: Scope): boolean => scope === undefined || scope === one;
  const isAll = agent === undefined && !isInstructions && !isServed;
  if (scope === "user" && home === undefined) throw noHome();
  const isInHome = isAll || agent !== undefined || isServed;
  const isInFolder = isScope("project") && (isAll || agent !== undefined);
  const bases = new Set([
    ...((isScope("user") || isServed) && home !== undefined && isInHome ? [home] : []),
    ...(isInFolder || isInstructions ? [workingDirectory] : []),
  ]);
  const isWhole = isAll && scope === undefined;
  const asked = new Set<string>([
    ...(isAll || agent !== undefined ? selected(agent).map(({ id }) => id) : []),
    ...(isInstructions || isWhole ? [instructionsName] : []),
    ...(isServed || isWhole ? [serviceName] : []),
  ]);
  return [...bases].map((base) => ({
    base,
    plan: async ({ entries }) => {
      const ownerOf = (entry: LedgerEntry): string | undefined =>
        entry.frameworks.find((name) => asked.has(name));
      const plans: FrameworkPlan[] = [];
      for (const [framework, own] of Map.groupBy(entries, ownerOf))
        if (framework !== undefined)
          plans.push(await attempted(framework, own, (entry) => planRemoval(entry, [...asked])));
      return plans;
    },
  }));
}

function additions(input: InitInput, surroundings: Surroundings): readonly Task[] {
  const { machine, context, warnings } = surroundings;
  const { home, workingDirectory } = machine;
  const {
    agent,
    scope = "user",
    agents_md: isInstructions = false,
    serve: isServed = false,
  } = input;
  const tasks: Task[] = [];
  // With nothing but instructions or the service asked for, no framework is configured.
  if (agent !== undefined || input.scope !== undefined || !(isInstructions || isServed)) {
    const { warning, ...server } = serverCommand(scope, machine, context.program);
    if (warning !== undefined) warnings.push(warning);
    if (scope === "user" && home === undefined) throw noHome();
    const chosen = agent === undefined ? installedOnes(machine) : selected(agent);
    if (chosen.length === 0) throw noneInstalled();
    const base = scope === "user" && home !== undefined ? home : workingDirectory;
    const filesOf = ({ ofUser, ofProject }: Framework): readonly FileAddition[] =>
      scope === "user" ? ofUser(userPlaces(base, machine), server) : ofProject(base, server);
    tasks.push({
      base,
      plan: async (ledger) =>
        await Promise.all(
          chosen.map(async (framework) => await planned(framework.id, filesOf(framework), ledger)),
        ),
    });
  }
  if (isInstructions) {
    const named = agent === undefined ? installedOnes(machine) : selected(agent);
    const names = new Set<string>(agent === undefined ? ["AGENTS.md"] : []);
    for (const { instructions } of named) names.add(instructions);
    tasks.push({
      base: workingDirectory,
      plan: async (ledger) => {
        const files = instructionFiles([...names].toSorted(), workingDirectory);
        return [await planned(instructionsName, files, ledger)];
      },
    });
  }
  if (isServed) tasks.push(serviceStart(home));
  return tasks;
}

/** The file that says that questions start the service; `service/` looks for it. */
function serviceStart(home: string | undefined): Task {
  if (home === undefined)
    throw new errors.invalid_argument({
      argument: "HOME",
      reason: "it is not set, and what --serve says is kept in it; CODETOOL_SERVE=auto needs none",
    });
  const file = serviceStartFile(join(home, ".codetool", "serve"));
  return {
    base: home,
    plan: async (ledger) => [await planned(serviceName, [file], ledger)],
  };
}

async function planned(
  framework: string,
  files: readonly FileAddition[],
  { entries }: Ledger,
): Promise<FrameworkPlan> {
  return await attempted(framework, files, async (file) => {
    const entry = entries.find(({ path }) => path === file.path);
    return await planAddition(file, framework, entry);
  });
}

/** A file that cannot be edited keeps the others of its framework as they are, and no other framework. */
async function attempted<Item>(
  framework: string,
  items: readonly Item[],
  plan: (item: Item) => Promise<PlannedFile>,
): Promise<FrameworkPlan> {
  try {
    const files: PlannedFile[] = [];
    for (const item of items) files.push(await plan(item));
    return { framework, files };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { framework, files: [], error };
  }
}

/** Files that are one file by links, or that import another, get the block once. */
function instructionFiles(names: readonly string[], folder: string): readonly FileAddition[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const path = join(folder, name);
    const { target, text } = readConfigFile(path);
    const isImport = names.some((other) => other !== name && hasImport(text.text, other));
    if (seen.has(target) || isImport) return [];
    seen.add(target);
    return [block(path)];
  });
}

function hasImport(text: string, name: string): boolean {
  return text.split(/\r?\n/).some((line) => new RegExp(`(^|\\s)@(\\./)?${name}(\\s|$)`).test(line));
}

function selected(agent: InitInput["agent"]): readonly Framework[] {
  return frameworks.filter(({ id }) => agent === undefined || agent === "all" || agent === id);
}

/** Frameworks whose folders are in the home, or whose program is on the path. */
function installedOnes(machine: Machine): readonly Framework[] {
  const { home } = machine;
  return frameworks.filter(
    ({ traces, programs }) =>
      (home !== undefined && traces(userPlaces(home, machine)).some((path) => existsSync(path))) ||
      programs.some((name) => findProgram(name, machine) !== undefined),
  );
}

function noHome(): Error {
  return new errors.invalid_argument({
    argument: "HOME",
    reason: "it is not set, and the configuration of a user is in it; --scope project needs none",
  });
}

function noneInstalled(): Error {
  const titles = frameworks.map(({ title }) => title).join(", ");
  return new errors.invalid_argument({
    argument: "init",
    reason: `none of ${titles} was found; name one with --agent`,
  });
}

function shown(
  { framework, files, error }: FrameworkPlan,
  at: {
    readonly entries: readonly LedgerEntry[];
    readonly base: string;
    readonly machine: Machine;
    readonly isDryRun: boolean;
  },
): InitFramework {
  if (error !== undefined) return { framework, files: [], error: error.message };
  return {
    framework,
    files: files.map((file): InitFile => {
      const path = shownPath(file.path, at.machine);
      const entry = at.entries.find((each) => each.path === file.path);
      const backup =
        typeof entry?.backup === "string" ? backupPath(at.base, entry.backup) : undefined;
      const diff = at.isDryRun ? diffOf(file, path.replace(/^\//, "")) : "";
      return {
        path,
        action: file.action,
        ...(backup !== undefined && existsSync(backup) ? { backup } : {}),
        ...(diff === "" ? {} : { diff }),
      };
    }),
  };
}

function shownPath(path: string, { workingDirectory }: Machine): string {
  const below = relative(workingDirectory, path);
  const isBelow = !below.startsWith("..") && !isAbsolute(below);
  return (isBelow ? below : path).replaceAll("\\", "/");
}

function diffOf({ bytes, after }: PlannedFile, path: string): string {
  const texts = { before: bytes?.toString() ?? "", after: after?.toString() ?? "" };
  const whole = {
    before: { start: 0, end: texts.before.length },
    after: { start: 0, end: texts.after.length },
  };
  const hunk = tightHunk(texts, whole);
  return hunk === undefined ? "" : unifiedDiff(path, texts, lineHunksOf(texts, [hunk]));
}
