import type { Log } from "../ports/index.ts";
import { CircuitBreaker, type CircuitChange, type CircuitSnapshot } from "./circuit-breaker.ts";
import type { ModelPolicy, ResilienceOptions, TargetKind, TargetPolicy } from "./policies.ts";

/** What is done about the calls of one target that fail. */
export interface GuardedTarget<Policy extends TargetPolicy = TargetPolicy> {
  readonly policy: Policy;
  /** There when the policy has a circuit breaker. */
  readonly breaker: CircuitBreaker | undefined;
}

/** What circuits need of the runtime. */
export interface ResilienceHost {
  readonly clock: { monotonicMs(): number };
  readonly log: Log;
}

/** The policies of one runtime, and its circuits. */
export class Resilience {
  /** By name of the provider. */
  readonly models: ReadonlyMap<string, GuardedTarget<ModelPolicy>>;
  /** By name of the agent. */
  readonly agents: ReadonlyMap<string, GuardedTarget>;
  /** By name of the tool server. */
  readonly tools: ReadonlyMap<string, GuardedTarget>;

  /**
   * @param options The policies, checked already.
   * @param host The clock, and where changes of circuits are reported.
   */
  constructor(options: ResilienceOptions, host: ResilienceHost) {
    this.models = targetsOf("model", options.models, host);
    this.agents = targetsOf("agent", options.agents, host);
    this.tools = targetsOf("tool", options.tools, host);
  }

  /** @returns Every circuit: models, agents, tools, each in the order in which they were given. */
  circuits(): CircuitSnapshot[] {
    const targets = [this.models, this.agents, this.tools].flatMap((each) => [...each.values()]);
    return targets.flatMap(({ breaker }) => (breaker === undefined ? [] : [breaker.snapshot()]));
  }
}

function targetsOf<Policy extends TargetPolicy>(
  kind: TargetKind,
  policies: { readonly [name: string]: Policy } | undefined,
  { clock, log }: ResilienceHost,
): ReadonlyMap<string, GuardedTarget<Policy>> {
  const onChange = (change: CircuitChange): void => tell(log, change);
  return new Map(
    Object.entries(policies ?? {}).map(([name, policy]) => {
      const { circuitBreaker } = policy;
      const breaker =
        circuitBreaker === undefined
          ? undefined
          : new CircuitBreaker({ kind, name, policy: circuitBreaker, clock, onChange });
      return [name, { policy, breaker }];
    }),
  );
}

/** One line for each change. */
function tell(log: Log, { kind, name, state, callCount, failureCount, openMs }: CircuitChange) {
  const target = { [kind]: name };
  if (state === "open")
    log.warn("circuit is open: calls are refused", { ...target, failureCount, callCount, openMs });
  else if (state === "halfOpen")
    log.info("circuit is half-open: a few calls try whether it works again", target);
  else log.info("circuit is closed: calls go through again", target);
}
