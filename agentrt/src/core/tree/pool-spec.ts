import type { AgentClass, AnyAgentClass, CheckedClass, ConfigOf } from "../agents/index.ts";
import { supervisionErrors } from "../errors.ts";
import { isNodeName, wantedNodeName } from "../messages/index.ts";
import { type JsonObject, timeoutMsMax } from "../values/index.ts";
import { checkOptions, type OptionNames } from "./check-options.ts";
import { checkAgent, childOptionNames, type ChildOptions, describeAgent } from "./agent-spec.ts";
import type { PoolLimits, PoolPolicy } from "./pool-policy.ts";
import {
  supervisor,
  supervisorOptionNames,
  type SupervisorOptions,
  type SupervisorSpec,
} from "./supervisor-spec.ts";

/** Most members of one pool. */
export const memberCountLimit = 10_000;

/** What `pool` takes beyond the options of an agent. */
export interface PoolOptions<Config extends object = JsonObject>
  extends
    Omit<ChildOptions<Config>, "concurrency" | "budget">,
    Omit<SupervisorOptions, "children" | "strategy"> {
  /** How many members there are, 1 to 10_000; in place of `memberCountMin` and `memberCountMax`. */
  readonly size?: number | undefined;
  /** Members that are always there, 1 or more; default 1. */
  readonly memberCountMin?: number | undefined;
  /** Most members, up to 10_000. Required without `size`. */
  readonly memberCountMax?: number | undefined;
  /**
   * A message that has waited for so long brings one more member; one that is starting counts for one of them. 0 or
   * more; default 1000.
   */
  readonly scaleAfterMs?: number | undefined;
  /** A member that has had no message for longer is stopped, 1 or more; default 60_000. */
  readonly idleMs?: number | undefined;
}

/**
 * Describes several objects of one class behind one name: they share a mailbox, and the one that is free longest takes
 * the next message. The pool restarts its members, one for one, within one budget.
 *
 * @param agentClass Class derived from `Agent`. Its objects are called `name/1`, `name/2` and so on, and save no state.
 * @param name Unique in the tree, not empty.
 * @param options How many members there are, their limits, and the budget of restarts.
 * @returns The node, for `supervisor({ children })`.
 * @throws AGENTRT_SUPERVISION_OPTION_INVALID, AGENTRT_AGENT_OPTION_INVALID when an option is out of its range.
 */
export function pool<Class extends AnyAgentClass>(
  agentClass: Class & CheckedClass<Class>,
  name: string,
  options: PoolOptions<ConfigOf<Class>>,
): SupervisorSpec {
  checkAgent(agentClass, name);
  checkOptions(`pool "${name}"`, options, poolOptionNames);
  return poolOf(agentClass as object as AgentClass, name, options as PoolOptions);
}

function poolOf(agentClass: AgentClass, name: string, options: PoolOptions): SupervisorSpec {
  const { restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs } = options;
  // The members have no budget of their own: it is that of the pool.
  const { budget, ...agentOptions } = options;
  const restarts = { restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs };
  const described = supervisor(name, { ...restarts, budget, children: [] });
  const limits = poolLimits(name, options);
  if (!isNodeName(`${name}/${limits.memberCountMax}`)) {
    refuse(name, { option: "name", found: name, wanted: `${wantedNodeName}, "/" and a number` });
  }
  // Found by the name of the pool: a message for a capability waits in the mailbox that all share.
  const memberOptions = { ...agentOptions, capabilities: [], capabilityMetadata: {} };
  // Made once, so that what is wrong with the options of the members shows here.
  const {
    capabilities,
    capabilityMetadata,
    schemas,
    limits: own,
  } = describeAgent(agentClass, name, agentOptions);
  const policy: PoolPolicy = {
    ...limits,
    processName: options.process,
    mailboxLengthMax: own.mailboxLengthMax,
    capabilities,
    capabilityMetadata,
    schemas,
    specOf: (number) => describeAgent(agentClass, `${name}/${number}`, memberOptions),
  };
  return { ...described, pool: policy };
}

function poolLimits(name: string, options: PoolOptions): PoolLimits {
  const whole = (
    option: "size" | "memberCountMin" | "memberCountMax" | "scaleAfterMs" | "idleMs",
    range: { readonly preset?: number; readonly least: number; readonly most: number },
  ): number => {
    const value: unknown = options[option] ?? range.preset;
    const isInRange = typeof value === "number" && value >= range.least && value <= range.most;
    if (isInRange && Number.isInteger(value)) return value;
    const wanted = `a whole number from ${range.least} to ${range.most}`;
    return refuse(name, { option, found: value, wanted });
  };
  const { size, memberCountMin, memberCountMax } = options;
  const counted = { least: 1, most: memberCountLimit };
  if (size !== undefined && (memberCountMin ?? memberCountMax) !== undefined) {
    const wanted = "none next to memberCountMin and memberCountMax";
    refuse(name, { option: "size", found: size, wanted });
  }
  const fixed = size === undefined ? undefined : whole("size", counted);
  const most = fixed ?? whole("memberCountMax", counted);
  const min = fixed ?? whole("memberCountMin", { preset: 1, least: 1, most });
  return {
    memberCountMin: min,
    memberCountMax: most,
    scaleAfterMs: whole("scaleAfterMs", { preset: 1000, least: 0, most: timeoutMsMax }),
    idleMs: whole("idleMs", { preset: 60_000, least: 1, most: timeoutMsMax }),
  };
}

function refuse(
  supervisor: string,
  given: { readonly option: string; readonly found: unknown; readonly wanted: string },
): never {
  throw new supervisionErrors.OPTION_INVALID({ supervisor, ...given, found: String(given.found) });
}

const { concurrency: _concurrency, ...ownChildNames } = childOptionNames;
const { children: _children, strategy: _strategy, ...restartNames } = supervisorOptionNames;
const poolOptionNames: OptionNames<PoolOptions> = {
  ...ownChildNames,
  ...restartNames,
  size: true,
  memberCountMin: true,
  memberCountMax: true,
  scaleAfterMs: true,
  idleMs: true,
};
