import {
  type JsonObject,
  type KeyedPolicy,
  type Kernel,
  keyOfMessage,
  type Message,
  type Registration,
  type SupervisorNode,
  type SupervisorSpec,
} from "../../core/index.ts";
import { partitionCount, partitionOf, placeOf, placePartitions } from "./partitions.ts";
import type { SpreadHome, SpreadSpec } from "./spread-node.ts";
import { SpreadParts } from "./spread-parts.ts";
import type { SpreadWorker } from "./spread-worker.ts";

/** A keyed agent whose keys are spread over workers: each partition of them is at one. */
export class SpreadKeyed extends SpreadParts {
  readonly takesKeys = true;
  #spec: SupervisorSpec;
  #policy: KeyedPolicy;

  /** @throws AGENTRT_SUPERVISION_DUPLICATE_NAME. */
  constructor(
    kernel: Kernel,
    { spec, policy }: { readonly spec: SupervisorSpec; readonly policy: KeyedPolicy },
    home: SpreadHome,
  ) {
    super(kernel, { spec, count: partitionCount }, home);
    this.#spec = spec;
    this.#policy = policy;
    kernel.registry.register(this);
  }

  get capabilities(): readonly string[] {
    return this.#policy.capabilities;
  }

  get capabilityMetadata(): JsonObject {
    return this.#policy.capabilityMetadata;
  }

  get schemas(): Registration["schemas"] {
    return this.#policy.schemas;
  }

  protected override get mailboxLengthMax(): number {
    return this.#policy.waitingCountMax;
  }

  protected override describeBy(spec: SpreadSpec): void {
    if (spec.kind === "agent" || spec.keyed === undefined) return;
    this.#spec = spec;
    this.#policy = spec.keyed;
  }

  override placeOf(agent: string): string {
    return placeOf(this.name, partitionOf(agent.slice(this.name.length + 1)));
  }

  override labelOf(name: string): string | undefined {
    if (!name.startsWith(`${this.name}/`)) return undefined;
    return this.partitions[partitionOf(name.slice(this.name.length + 1))]?.owner?.label;
  }

  protected override numberOf(message: Message): number {
    return partitionOf(this.lineOf(message));
  }

  protected override lineOf(message: Pick<Message, "recipient" | "payload">): string {
    return keyOfMessage({ name: this.name, keyField: this.#policy.keyField }, message);
  }

  protected override place(workers: readonly SpreadWorker[]): readonly string[] {
    return placePartitions(workers.map(({ processId }) => processId));
  }

  describe(): SupervisorNode {
    const { keyField, idleMs, residentCountMax, failedCountMax } = this.#policy;
    return {
      ...this.describeNode(this.#spec),
      keyed: {
        keyField: keyField ?? null,
        idleMs,
        residentCountMax,
        failedCountMax,
        residentCount: this.sum("resident"),
        waitingCount: this.sum("waiting"),
        failedCount: this.sum("failed"),
        suspension: null,
        mailboxDepth: this.mailboxDepth,
      },
    };
  }
}
