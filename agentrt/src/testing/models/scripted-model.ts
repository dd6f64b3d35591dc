import {
  type ModelPrice,
  type ModelProvider,
  modelReply,
  type ModelReply,
  type ModelRequest,
} from "../../core/index.ts";

/** One answer of a script: a text, a reply with whatever matters of it, or an error that the call fails with. */
export type ScriptedReply =
  | string
  | Error
  | ({ readonly content: string } & Partial<Omit<ModelReply, "message">>);

/** Answers in order, of which the last one repeats; or a function that answers each request. */
export type ModelScript =
  | readonly ScriptedReply[]
  | ((request: ModelRequest) => ScriptedReply | PromiseLike<ScriptedReply>);

/** How a scripted model looks from outside. */
export interface ScriptedModelOptions {
  /** Default `"scripted"`. */
  readonly defaultModel?: string | undefined;
  /** Of all its models, for budgets in USD; default unknown. */
  readonly price?: ModelPrice | undefined;
}

/**
 * Makes a model provider that answers by a script. Tokens that the script does not name are counted as a quarter of the
 * characters.
 *
 * @example
 * const models = () => [{ name: "main", provider: scriptedModel(["Yes", new modelErrors.OVERLOADED({ … }), "No"]) }];
 *
 * @param script Its answers.
 * @param options Its default model.
 * @returns The provider; one for each run, as it counts its answers.
 */
export function scriptedModel(
  script: ModelScript,
  options: ScriptedModelOptions = {},
): ModelProvider {
  if (typeof script !== "function" && script.length === 0) {
    throw new RangeError("Cannot make a scripted model: its script has no replies");
  }
  let requestCount = 0;
  const next = (request: ModelRequest): ScriptedReply | PromiseLike<ScriptedReply> => {
    if (typeof script === "function") return script(request);
    const at = Math.min(requestCount, script.length - 1);
    requestCount += 1;
    return script[at] as ScriptedReply;
  };
  return {
    defaultModel: options.defaultModel ?? "scripted",
    priceOf: () => options.price,
    chat: async (request) => {
      const scripted = await next(request);
      if (scripted instanceof Error) throw scripted;
      return replyOf(typeof scripted === "string" ? { content: scripted } : scripted, request);
    },
  };
}

/** Fills in what a script left out. */
export function replyOf(
  scripted: { readonly content: string } & Partial<Omit<ModelReply, "message">>,
  { model, messages }: ModelRequest,
): ModelReply {
  const tokensIn = tokensOf(messages.map(({ content }) => content).join(" "));
  return modelReply({ model, tokensIn, tokensOut: tokensOf(scripted.content), ...scripted });
}

const charactersPerToken = 4;

function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
