import type { JsonObject, JsonValue, ModelProvider, ModelTool } from "../../core/index.ts";
import { replyOf } from "./scripted-model.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

const words = ["yes", "no", "the", "order", "is", "late", "and", "42", "ok", "{}", "…", "done"];
const toolShare = 0.3;
const slowShare = 0.1;
const depthMax = 3;
/** For trees with budgets in USD. */
const price = { input: 3, output: 15 };

/**
 * Makes a model provider that answers by chance, as the seed decides: short and long texts, calls of the tools that the
 * request offers, with arguments that fit their schemas, answers that come late. For trees whose agents must work with
 * whatever a model says.
 *
 * @param world The run that it belongs to.
 * @param options Its default model; default `"seeded"`.
 * @returns The provider.
 */
export function seededModel(
  world: SimulatedWorld,
  options: { readonly defaultModel?: string | undefined } = {},
): ModelProvider {
  const chance = new Chance(world);
  return {
    defaultModel: options.defaultModel ?? "seeded",
    priceOf: () => price,
    chat: async (request) => {
      await world.sleep(chance.below(world.random() < slowShare ? 20_000 : 800));
      const tool = world.random() < toolShare ? chance.oneOf(request.tools) : undefined;
      const length = Math.min(chance.below(24) + 1, request.maxTokens ?? Infinity);
      const content = Array.from({ length }, () => chance.oneOf(words)).join(" ");
      if (tool === undefined) return replyOf({ content, tokensOut: length }, request);
      const toolCalls = [chance.toolCall(tool)];
      return replyOf({ content: "", toolCalls, tokensOut: length }, request);
    },
  };
}

class Chance {
  readonly #world: SimulatedWorld;
  #callCount = 0;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  below(countMax: number): number {
    return Math.floor(this.#world.random() * countMax);
  }

  oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  toolCall({ name, inputSchema }: ModelTool): { id: string; name: string; input: JsonObject } {
    this.#callCount += 1;
    const id = `call-${this.#callCount}`;
    return { id, name, input: this.#object(inputSchema, 0) };
  }

  #object({ properties, required }: JsonObject, depth: number): JsonObject {
    const wanted = new Set(Array.isArray(required) ? required : []);
    const made: { [name: string]: JsonValue } = {};
    for (const [name, schema] of Object.entries((properties ?? {}) as JsonObject)) {
      if (wanted.has(name) || this.below(2) === 0) made[name] = this.#value(schema, depth + 1);
    }
    return made;
  }

  #value(schema: JsonValue, depth: number): JsonValue {
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return null;
    const { type, enum: choices, const: constant, items } = schema;
    if (constant !== undefined) return constant;
    if (Array.isArray(choices)) return this.oneOf(choices) ?? null;
    switch (Array.isArray(type) ? type[0] : type) {
      case "string":
        return this.oneOf(words) ?? "";
      case "integer":
        return this.below(1000);
      case "number":
        return this.#world.random() * 1000;
      case "boolean":
        return this.below(2) === 0;
      case "array":
        return depth > depthMax
          ? []
          : Array.from({ length: this.below(3) }, () => this.#value(items ?? {}, depth + 1));
      case "object":
        return depth > depthMax ? {} : this.#object(schema, depth);
      default:
        return null;
    }
  }
}
