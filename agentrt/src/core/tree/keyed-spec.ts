import type { AgentClass, AnyAgentClass, CheckedClass, ConfigOf } from "../agents/index.ts";
import { supervisionErrors } from "../errors.ts";
import { type JsonObject, timeoutMsMax } from "../values/index.ts";
import type { BudgetOptions } from "../llm/index.ts";
import { readBudget } from "./budget-option.ts";
import { checkOptions, type OptionNames } from "./check-options.ts";
import { checkAgent, childOptionNames, type ChildOptions, describeAgent } from "./agent-spec.ts";
import type { KeyedPolicy } from "./keyed-policy.ts";
import {
  supervisor,
  supervisorOptionNames,
  type SupervisorOptions,
  type SupervisorSpec,
} from "./supervisor-spec.ts";

/** What `keyed` takes beyond the options of an agent. */
export interface KeyedOptions<Config extends object = JsonObject>
  extends
    Omit<ChildOptions<Config>, "concurrency" | "budget">,
    Omit<SupervisorOptions, "children" | "strategy" | "budget"> {
  /** What model calls may cost: of all keys together, or `per: "key"` of each. Default nothing bounds them here. */
  readonly budget?: BudgetOptions | undefined;
  /** Field of the payload that holds the key; without it senders name the key: `name/key`, or the option `key`. */
  readonly key?: string | undefined;
  /** How long a key without messages stays, 1 or more; default 300_000. */
  readonly idleMs?: number | undefined;
  /** Most keys that are there at one time, 1 or more; default 1000. */
  readonly residentCountMax?: number | undefined;
  /** Most keys that wait for a place, 1 or more; default 10_000. */
  readonly waitingCountMax?: number | undefined;
  /** Most keys that are out of their budget at one time, 0 or more; one more fails upward. Default 100. */
  readonly failedCountMax?: number | undefined;
  /** How long a key that is out of its budget refuses its messages, 0 or more; default 60_000. */
  readonly coolDownMs?: number | undefined;
}

/**
 * Describes an agent with one object for each key: one conversation, one ticket, one customer. A key is started by its
 * first message, and passivated when it has had none for a time; the next message starts it again, with its state.
 *
 * @param agentClass Class derived from `Agent`. Its objects have `this.key`, and handle one message at a time.
 * @param name Unique in the tree, not empty.
 * @param options Where the key is, how long keys stay, the budget of each.
 * @returns The node, for `supervisor({ children })`.
 * @throws AGENTRT_SUPERVISION_OPTION_INVALID, AGENTRT_AGENT_OPTION_INVALID when an option is out of its range.
 */
export function keyed<Class extends AnyAgentClass>(
  agentClass: Class & CheckedClass<Class>,
  name: string,
  options?: KeyedOptions<ConfigOf<Class>>,
): SupervisorSpec {
  checkAgent(agentClass, name);
  checkOptions(`keyed agent "${name}"`, options ?? {}, keyedOptionNames);
  return keyedOf(agentClass as object as AgentClass, name, (options ?? {}) as KeyedOptions);
}

function keyedOf(agentClass: AgentClass, name: string, options: KeyedOptions): SupervisorSpec {
  const whole = (
    option: "idleMs" | "residentCountMax" | "waitingCountMax" | "failedCountMax" | "coolDownMs",
    range: { readonly preset: number; readonly least: number },
  ): number => {
    const value: unknown = options[option] ?? range.preset;
    const isInRange = typeof value === "number" && value >= range.least && value <= timeoutMsMax;
    if (isInRange && Number.isInteger(value)) return value;
    const wanted = `a whole number from ${range.least} to ${timeoutMsMax}`;
    const details = { supervisor: name, option, found: String(value), wanted };
    throw new supervisionErrors.OPTION_INVALID(details);
  };
  const { restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs } = options;
  const limits = { restartCountMax, restartWindowMs, backoff, backoffBaseMs, backoffMaxMs };
  const described = supervisor(name, { ...limits, children: [] });
  const budget = readBudget(`keyed agent "${name}"`, options.budget, ["run", "hour", "key"]);
  // The keys have no budget of their own: it is that of the whole, whatever it is for.
  const { budget: _budget, ...agentOptions } = options;
  // Made once, so that what is wrong with the options of the agents shows here and not at the first message.
  const { capabilities, capabilityMetadata, schemas } = describeAgent(
    agentClass,
    name,
    agentOptions,
  );
  const policy: KeyedPolicy = {
    processName: options.process,
    keyField: options.key,
    idleMs: whole("idleMs", { preset: 300_000, least: 1 }),
    residentCountMax: whole("residentCountMax", { preset: 1000, least: 1 }),
    waitingCountMax: whole("waitingCountMax", { preset: 10_000, least: 1 }),
    failedCountMax: whole("failedCountMax", { preset: 100, least: 0 }),
    coolDownMs: whole("coolDownMs", { preset: 60_000, least: 0 }),
    capabilities,
    capabilityMetadata,
    schemas,
    specOf: (key) => describeAgent(agentClass, `${name}/${key}`, { ...agentOptions, key }),
  };
  return { ...described, budget, keyed: policy };
}

const { concurrency: _concurrency, ...ownChildNames } = childOptionNames;
const { children: _children, strategy: _strategy, ...restartNames } = supervisorOptionNames;
const keyedOptionNames: OptionNames<KeyedOptions> = {
  ...ownChildNames,
  ...restartNames,
  key: true,
  idleMs: true,
  residentCountMax: true,
  waitingCountMax: true,
  failedCountMax: true,
  coolDownMs: true,
};
