import {
  Agent,
  agentLimits,
  type AgentSpec,
  type JsonObject,
  type Message,
  supervisionErrors,
} from "../core/index.ts";
import {
  agentsBody,
  asJson,
  deadLettersBody,
  healthBody,
  mailboxBody,
  processesBody,
  snapshotBody,
  topologyBody,
} from "./bodies.ts";
import { wholeView } from "./elsewhere/index.ts";
import type { CountedWhole } from "./figures/index.ts";
import { metricsText } from "./metrics/index.ts";
import type { RuntimeView } from "./runtime-view.ts";
import { agentDetailBody } from "./views/index.ts";

/** How long workers may take for their figures, milliseconds. */
const figuresWaitMs = 3000;

/**
 * Answers questions about the tree it is part of. Messages ask with `__op__`: `health`, `topology`, `agents`,
 * `agent_detail` and `mailbox_peek` with `name`, `snapshot`, `metrics`, `processes`, `dead_letters`. The bodies are those of the routes; the list of agents is under `agents`.
 */
export class TopologyAgent extends Agent {
  readonly #view: RuntimeView;

  /**
   * @param name Unique in the tree.
   * @param view The runtime it tells about.
   */
  constructor(name: string, view: RuntimeView) {
    super(name);
    this.#view = view;
  }

  /** Answers one question; a question it does not know gets `{"error": …}`. */
  override handle(message: Message): JsonObject | Promise<JsonObject> {
    const operation = message.payload["__op__"];
    switch (operation) {
      case "health":
        return asJson(healthBody(this.#view.health()));
      case "topology":
        return asJson(
          topologyBody(this.#view.tree(), {
            circuits: this.#view.circuits(),
            processId: this.name,
          }),
        );
      case "agents":
        return { agents: agentsBody(this.#view.tree(), this.name).map((body) => asJson(body)) };
      case "agent_detail": {
        const { name } = message.payload;
        if (typeof name !== "string") return { error: "agent_detail needs name, a string" };
        const body = agentDetailBody(this.#view, { name, processId: this.name });
        return body === undefined ? { error: `agent '${name}' not found` } : asJson(body);
      }
      case "snapshot":
        return this.#whole().then((whole) => asJson(snapshotBody(whole.snapshot())));
      case "processes":
        return asJson(processesBody(this.#view, this.name));
      case "metrics":
        return this.#whole().then((whole) => ({ text: metricsText(this.#view, whole) }));
      case "mailbox_peek":
        return this.#mailbox(message.payload["name"]);
      case "dead_letters":
        return asJson(deadLettersBody(this.#view.snapshot(), this.#view.deadLetters()));
      default:
        return {
          error:
            "unknown operation: __op__ must be health, topology, agents, agent_detail, mailbox_peek, snapshot, metrics, processes or dead_letters",
        };
    }
  }

  async #whole(): Promise<CountedWhole> {
    return await wholeView(this.#view, figuresWaitMs);
  }

  #mailbox(name: unknown): JsonObject {
    if (typeof name !== "string") return { error: "mailbox_peek needs name, a string" };
    try {
      return asJson(mailboxBody(name, this.#view.mailbox(name, {})));
    } catch (error) {
      if (error instanceof supervisionErrors.UNKNOWN_NAME)
        return { error: `agent '${name}' not found` };
      if (error instanceof supervisionErrors.NOT_AN_AGENT)
        return { error: `'${name}' is a supervisor, not an agent` };
      throw error;
    }
  }
}

/**
 * Describes a topology agent as a node of a tree: all there is to a topology server that is attached to a gateway.
 *
 * @param name Unique in the tree.
 * @param view The runtime it tells about; asked when a question comes, not before.
 * @returns The node.
 */
export function topologyAgentSpec(name: string, view: RuntimeView): AgentSpec {
  return {
    kind: "agent",
    name,
    create: () => new TopologyAgent(name, view),
    limits: agentLimits(name, {}),
    capabilities: [],
    capabilityMetadata: {},
    processName: undefined,
    isClosedToClients: true,
  };
}
