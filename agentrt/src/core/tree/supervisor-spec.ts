import { optionErrors, supervisionErrors } from "../errors.ts";
import { checkNodeName, checkOptions, describeValue, type OptionNames } from "./check-options.ts";
import type { Budget, BudgetOptions } from "../llm/index.ts";
import { readBudget } from "./budget-option.ts";
import { timeoutMsMax } from "../values/index.ts";
import type { AgentSpec } from "./agent-spec.ts";
import type { KeyedPolicy } from "./keyed-policy.ts";
import type { DynamicPolicy } from "./dynamic-policy.ts";
import type { PoolPolicy } from "./pool-policy.ts";

/** Which children restart when one crashes: itself, all, or itself and those declared after it. */
export type RestartStrategy = "ONE_FOR_ONE" | "ONE_FOR_ALL" | "REST_FOR_ONE";

/** How the wait before a restart grows with the crashes in the window. */
export type Backoff = "CONSTANT" | "LINEAR" | "EXPONENTIAL";

/** How a supervisor restarts, defaults filled in. */
export interface RestartLimits {
  readonly strategy: RestartStrategy;
  readonly restartCountMax: number;
  readonly restartWindowMs: number;
  readonly backoff: Backoff;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
}

/** One supervisor of a tree and its children in declaration order. */
export interface SupervisorSpec {
  readonly kind: "supervisor";
  readonly name: string;
  readonly limits: RestartLimits;
  readonly children: readonly ChildSpec[];
  /** What the model calls of all agents below it may cost. */
  readonly budget?: Budget | undefined;
  /** Present for a supervisor whose children are spawned: then none are declared. */
  readonly dynamic?: DynamicPolicy;
  /** Present for an agent with one object for each key: then no children are declared. */
  readonly keyed?: KeyedPolicy;
  /** Present for a pool, which makes its members itself: then no children are declared. */
  readonly pool?: PoolPolicy;
}

/** A node of a tree. */
export type ChildSpec = AgentSpec | SupervisorSpec;

/** What `supervisor` takes. */
export interface SupervisorOptions {
  /** Default `"ONE_FOR_ONE"`. */
  readonly strategy?: RestartStrategy | undefined;
  /** Crashes of any child allowed within the window, 0 or more; the next one escalates. Default 3. */
  readonly restartCountMax?: number | undefined;
  /** Length of the sliding window; default 60_000. */
  readonly restartWindowMs?: number | undefined;
  /** Default `"CONSTANT"`. */
  readonly backoff?: Backoff | undefined;
  /** First delay, 0 or more; default 1000. */
  readonly backoffBaseMs?: number | undefined;
  /** Longest delay, jitter included; default 60_000. */
  readonly backoffMaxMs?: number | undefined;
  /** What the model calls of all agents below it may cost together; default nothing bounds them here. */
  readonly budget?: BudgetOptions | undefined;
  /** In the order in which they start. */
  readonly children: readonly ChildSpec[];
}

/**
 * Describes a supervisor of a tree.
 *
 * @param name Unique in the tree, not empty.
 * @param options Strategy, limits and children.
 * @returns The description.
 * @throws AGENTRT_SUPERVISION_OPTION_INVALID when a limit is out of its range; AGENTRT_OPTION_UNKNOWN, AGENTRT_OPTION_WRONG.
 */
export function supervisor(name: string, options: SupervisorOptions): SupervisorSpec {
  const refuse = (option: string, found: unknown, wanted: string): never => {
    const details = { supervisor: name, option, found: String(found), wanted };
    throw new supervisionErrors.OPTION_INVALID(details);
  };
  checkNodeName("supervisor", name);
  checkOptions(`supervisor "${name}"`, options, supervisorOptionNames);
  checkChildren(name, options.children);
  const oneOf = <Name extends string>(option: string, value: Name, names: readonly Name[]): Name =>
    names.includes(value) ? value : refuse(option, value, `one of ${names.join(", ")}`);
  const whole = (option: "restartCountMax", preset: number): number => {
    const value = options[option] ?? preset;
    if (isWhole(value, 0)) return value;
    return refuse(option, value, `a whole number from 0 to ${timeoutMsMax}`);
  };
  const milliseconds = (
    option: "restartWindowMs" | "backoffBaseMs" | "backoffMaxMs",
    preset: number,
  ): number => {
    const value = options[option] ?? preset;
    if (typeof value === "number" && value >= 0 && value <= timeoutMsMax) return value;
    return refuse(option, value, `a number from 0 to ${timeoutMsMax}`);
  };
  return {
    kind: "supervisor",
    name,
    limits: {
      strategy: oneOf<RestartStrategy>("strategy", options.strategy ?? "ONE_FOR_ONE", [
        "ONE_FOR_ONE",
        "ONE_FOR_ALL",
        "REST_FOR_ONE",
      ]),
      restartCountMax: whole("restartCountMax", 3),
      restartWindowMs: milliseconds("restartWindowMs", 60_000),
      backoff: oneOf<Backoff>("backoff", options.backoff ?? "CONSTANT", [
        "CONSTANT",
        "LINEAR",
        "EXPONENTIAL",
      ]),
      backoffBaseMs: milliseconds("backoffBaseMs", 1000),
      backoffMaxMs: milliseconds("backoffMaxMs", 60_000),
    },
    children: [...options.children],
    budget: readBudget(`supervisor "${name}"`, options.budget),
  };
}

/** The options of `supervisor`. */
export const supervisorOptionNames: OptionNames<SupervisorOptions> = {
  strategy: true,
  restartCountMax: true,
  restartWindowMs: true,
  backoff: true,
  backoffBaseMs: true,
  backoffMaxMs: true,
  budget: true,
  children: true,
};

function checkChildren(name: string, children: unknown): void {
  const refuse = (found: unknown): never => {
    throw new optionErrors.WRONG({
      owner: `supervisor "${name}"`,
      option: "children",
      found: describeValue(found),
      wanted: "a list of nodes, as child() and supervisor() make them",
    });
  };
  if (!Array.isArray(children)) return refuse(children);
  for (const node of children as unknown[]) {
    const kind = typeof node === "object" && node !== null && "kind" in node ? node.kind : "";
    if (kind !== "agent" && kind !== "supervisor") refuse(node);
  }
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= timeoutMsMax;
}
