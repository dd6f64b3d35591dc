import type {
  Agent,
  AgentClass,
  AgentOptions,
  AnyAgentClass,
  CheckedClass,
  ConfigOf,
} from "../agents/index.ts";
import { evaluates, infrastructure } from "../agents/index.ts";
import { agentErrors, optionErrors } from "../errors.ts";
import type { Budget, BudgetOptions } from "../llm/index.ts";
import { readBudget } from "./budget-option.ts";
import { checkNodeName, checkOptions, describeValue, type OptionNames } from "./check-options.ts";
import { type MessageSchemas, messageSchemasOf } from "../messages/index.ts";
import { type JsonObject, timeoutMsMax } from "../values/index.ts";

/** One agent of a tree: everything that is needed to build it again. */
export interface AgentSpec {
  readonly kind: "agent";
  readonly name: string;
  /** Builds a new object for each incarnation. */
  readonly create: () => Agent;
  readonly limits: AgentLimits;
  readonly capabilities: readonly string[];
  readonly capabilityMetadata: JsonObject;
  /** What its messages have to be; undefined where its class declares nothing. */
  readonly schemas?: MessageSchemas | undefined;
  /** Name of the process group it belongs to; undefined for the runtime's own process. */
  readonly processName: string | undefined;
  /** True for an agent of the runtime itself, a gateway or a topology server: no client reaches it by name. Default false. */
  readonly isClosedToClients?: boolean;
  /** True for an agent that serves other agents: clients reach it only where a gateway's settings name it. Default false. */
  readonly isInfrastructure?: boolean;
  /** True for an agent that judges what others report. Default false. */
  readonly isEvalAgent?: boolean;
  /** Environment variables that hold the agent's own keys, by model provider. */
  readonly credentials?: { readonly [provider: string]: string } | undefined;
  /** What its model calls may cost. */
  readonly budget?: Budget | undefined;
  /**
   * There where the next object may start while the one before still runs: makes an object give up what only one of them
   * can have, such as a port, and go on with what it has at hand.
   */
  readonly giveUp?: ((agent: Agent) => Promise<void>) | undefined;
}

/** The limits of an agent, defaults filled in. */
export interface AgentLimits {
  readonly concurrency: number;
  readonly mailboxLengthMax: number;
  readonly retryCountMax: number;
  readonly shutdownTimeoutMs: number;
  readonly handleTimeoutMs: number | undefined;
  readonly startTimeoutMs: number;
  readonly hookTimeoutMs: number;
}

/** What `child` takes beyond the agent's own options. */
export interface ChildOptions<Config extends object = JsonObject> extends Omit<
  AgentOptions,
  "config"
> {
  /** What the agent finds as `this.config`; default an empty object. */
  readonly config?: Config | undefined;
  /** Tags under which the agent can be found; default none. */
  readonly capabilities?: readonly string[] | undefined;
  /** Details about the tags; default an empty object. */
  readonly capabilityMetadata?: JsonObject | undefined;
  /** Process group; under the in-process transport the agent runs in this process all the same. */
  readonly process?: string | undefined;
  /** Environment variables that hold the agent's own keys, by model provider; default the providers' own. */
  readonly credentials?: { readonly [provider: string]: string } | undefined;
  /** What its model calls may cost; default nothing bounds them here. */
  readonly budget?: BudgetOptions | undefined;
}

/** The options of `child`; they have to be there when the configuration has a member that must be there. */
type ChildRest<Config extends object> = string extends keyof Config
  ? [options?: ChildOptions<Config>]
  : Partial<Config> extends Config
    ? [options?: ChildOptions<Config>]
    : [options: ChildOptions<Config> & { readonly config: Config }];

/**
 * Describes an agent of a tree.
 *
 * @param agentClass Class derived from `Agent`.
 * @param name Unique in the tree, not empty.
 * @param options Limits, configuration, capabilities.
 * @returns The description.
 * @throws AGENTRT_AGENT_OPTION_INVALID when a limit is out of its range; AGENTRT_OPTION_UNKNOWN, AGENTRT_OPTION_WRONG for what a
 *   topology would refuse, too.
 */
export function child<Class extends AnyAgentClass>(
  agentClass: Class & CheckedClass<Class>,
  name: string,
  ...[options]: ChildRest<ConfigOf<Class>>
): AgentSpec {
  const given: object = options ?? noOptions;
  checkAgent(agentClass, name);
  if (given !== noOptions) checkOptions(`agent "${name}"`, given, childOptionNames);
  return describeAgent(agentClass as object as AgentClass, name, given);
}

/** The options of `child`. */
export const childOptionNames: OptionNames<ChildOptions> = {
  concurrency: true,
  mailboxLengthMax: true,
  retryCountMax: true,
  shutdownTimeoutMs: true,
  handleTimeoutMs: true,
  startTimeoutMs: true,
  hookTimeoutMs: true,
  key: true,
  config: true,
  capabilities: true,
  capabilityMetadata: true,
  process: true,
  credentials: true,
  budget: true,
};

/**
 * Refuses what can be no agent.
 *
 * @param agentClass Given as its class.
 * @param name Given as its name.
 * @throws AGENTRT_OPTION_WRONG.
 */
export function checkAgent(agentClass: unknown, name: unknown): void {
  checkNodeName("agent", name);
  if (typeof agentClass === "function" && Object.hasOwn(agentClass, "prototype")) return;
  throw new optionErrors.WRONG({
    owner: `agent "${String(name)}"`,
    option: "class",
    found: describeValue(agentClass),
    wanted: "a class derived from Agent",
  });
}

/**
 * Describes an agent, without a look at the names of its options: they may be those of its kind, too.
 *
 * @param agentClass Its class.
 * @param name Its name.
 * @param options What `child` takes, and what its class takes.
 * @throws AGENTRT_AGENT_OPTION_INVALID when a limit is out of its range.
 */
export function describeAgent(
  agentClass: AgentClass,
  name: string,
  options: ChildOptions,
): AgentSpec {
  return new ClassSpec(agentClass, name, options);
}

// Shared by all agents that say nothing of their own: a tree may have a hundred thousand.
const noOptions: ChildOptions = Object.freeze({});
const noCapabilities: readonly string[] = Object.freeze([]);
const noMetadata: JsonObject = Object.freeze({});

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/** @returns A copy of what an agent says of its capabilities, for a picture of it. */
export function copyOfMetadata(metadata: JsonObject): JsonObject {
  // Nearly all say nothing.
  return isEmpty(metadata) ? {} : structuredClone(metadata);
}

/** An agent that is made from a class. */
class ClassSpec implements AgentSpec {
  readonly kind = "agent";
  readonly name: string;
  readonly limits: AgentLimits;
  readonly capabilities: readonly string[];
  readonly capabilityMetadata: JsonObject;
  readonly processName: string | undefined;
  readonly schemas: MessageSchemas | undefined;
  readonly #agentClass: AgentClass;
  readonly #options: ChildOptions;

  constructor(agentClass: AgentClass, name: string, options: ChildOptions) {
    const { capabilities = [], capabilityMetadata, process, config } = options;
    this.name = name;
    this.limits = agentLimits(name, options);
    this.capabilities = capabilities.length === 0 ? noCapabilities : [...capabilities];
    this.capabilityMetadata = capabilityMetadata ?? noMetadata;
    this.processName = process;
    this.schemas = messageSchemasOf(name, agentClass);
    readBudget(`agent "${name}"`, options.budget);
    this.#agentClass = agentClass;
    this.#options =
      config === undefined ? options : { ...options, config: structuredClone(config) };
  }

  get isInfrastructure(): boolean {
    return infrastructure in this.#agentClass;
  }

  get isEvalAgent(): boolean {
    return evaluates in this.#agentClass;
  }

  get budget(): Budget | undefined {
    return readBudget(`agent "${this.name}"`, this.#options.budget);
  }

  get credentials(): AgentSpec["credentials"] {
    return this.#options.credentials;
  }

  create(): Agent {
    const { config } = this.#options;
    const options =
      config === undefined ? this.#options : { ...this.#options, config: structuredClone(config) };
    const agent = new this.#agentClass(this.name, options);
    if (typeof (agent as { handle?: unknown }).handle === "function") return agent;
    throw new optionErrors.WRONG({
      owner: `agent "${this.name}"`,
      option: "class",
      found: `${this.#agentClass.name} without handle(message)`,
      wanted: "a class derived from Agent that handles messages",
    });
  }
}

const limitNames = [
  "concurrency",
  "mailboxLengthMax",
  "retryCountMax",
  "shutdownTimeoutMs",
  "handleTimeoutMs",
  "startTimeoutMs",
  "hookTimeoutMs",
] as const satisfies readonly (keyof AgentLimits)[];

const defaultLimits: AgentLimits = Object.freeze({
  concurrency: 1,
  mailboxLengthMax: 1000,
  retryCountMax: 3,
  shutdownTimeoutMs: 30_000,
  handleTimeoutMs: undefined,
  startTimeoutMs: 60_000,
  hookTimeoutMs: 60_000,
});

/**
 * Fills in the defaults of an agent's limits and checks their ranges.
 *
 * @param name For the error.
 * @param options What the user gave.
 * @returns The limits.
 * @throws AGENTRT_AGENT_OPTION_INVALID when a limit is out of its range.
 */
export function agentLimits(name: string, options: AgentOptions): AgentLimits {
  if (name === "") {
    const details = { agent: name, option: "name", found: "empty", wanted: "some text" };
    throw new agentErrors.OPTION_INVALID(details);
  }
  if (limitNames.every((limit) => options[limit] === undefined)) return defaultLimits;
  const whole = (option: keyof AgentLimits, least: number): number => {
    const value = options[option] ?? defaultLimits[option] ?? least;
    if (isWhole(value, least)) return value;
    const wanted = `a whole number from ${least} to ${timeoutMsMax}`;
    throw new agentErrors.OPTION_INVALID({ agent: name, option, found: String(value), wanted });
  };
  return {
    concurrency: whole("concurrency", 1),
    mailboxLengthMax: whole("mailboxLengthMax", 1),
    retryCountMax: whole("retryCountMax", 0),
    shutdownTimeoutMs: whole("shutdownTimeoutMs", 0),
    handleTimeoutMs:
      options.handleTimeoutMs === undefined ? undefined : whole("handleTimeoutMs", 1),
    startTimeoutMs: whole("startTimeoutMs", 1),
    hookTimeoutMs: whole("hookTimeoutMs", 1),
  };
}

/**
 * Joins the limits that the tree gives to an agent with those that its class gives to itself.
 *
 * @param name For the error.
 * @param declared The tree's.
 * @param own What the class handed to `super`; it goes first.
 * @returns The limits.
 * @throws AGENTRT_AGENT_OPTION_INVALID when a limit is out of its range.
 */
export function joinLimits(name: string, declared: AgentLimits, own: AgentOptions): AgentLimits {
  const given = limitNames.filter((limit) => own[limit] !== undefined);
  if (given.every((limit) => own[limit] === declared[limit])) return declared;
  const limits = given.map((limit) => [limit, own[limit]]);
  return agentLimits(name, { ...declared, ...Object.fromEntries(limits) });
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= timeoutMsMax;
}
