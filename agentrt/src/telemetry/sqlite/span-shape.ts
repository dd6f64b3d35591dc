/** What many spans have in common: written once in a file. */
export interface SpanShape {
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly agentName: string | null;
  readonly model: string | null;
  /** Attributes as the inside of a JSON object; may be empty. */
  readonly attributes: string;
}

/** Attributes with few values; the others are written with each span. */
const commonAttributes: ReadonlySet<string> = new Set([
  "agentrt.agent.name",
  "agentrt.sender",
  "agentrt.recipient",
  "agentrt.message_type",
  "agentrt.message.type",
  "agentrt.handle.attempt",
  "agentrt.handle.result",
  "agentrt.handle.timeout",
  "agentrt.llm.model",
  "agentrt.agent.final_status",
  "error",
  "error.type",
  "child",
  "supervisor",
  "strategy",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "network.protocol.name",
  "network.protocol.version",
  "user_agent.original",
  "gen_ai.operation.name",
  "gen_ai.provider.name",
  "gen_ai.request.model",
  "gen_ai.response.model",
  "gen_ai.tool.name",
  "gen_ai.tool.type",
]);

/** @returns Whether the attribute is one of a shape. */
export function isCommonAttribute(name: string): boolean {
  return commonAttributes.has(name);
}

/** Shapes that are remembered; with more of them they are written again, which costs only room. */
export const shapeCountMax = 10_000;

/** The shapes that were met, each of them one object. */
export class SpanShapes {
  readonly #known = new Map<string, SpanShape>();

  /** @returns The shape that is equal to the given one. */
  of(shape: SpanShape): SpanShape {
    const { name, kind, status, attributes } = shape;
    // Agent and model are among the attributes.
    const key = `${name}\n${kind}\n${status}\n${attributes}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= shapeCountMax) this.#known.clear();
    this.#known.set(key, shape);
    return shape;
  }
}
