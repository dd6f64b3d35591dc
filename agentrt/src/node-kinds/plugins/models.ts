import { z } from "zod";
import { isServerUrl, modelTimeoutMsMax } from "../../plugins/index.ts";
import { variableNamePattern } from "../../state/index.ts";
import { fields, type KeyDescriptions } from "../../topology/index.ts";
import type { DescribedPlugin } from "./described-plugin.ts";

const { mapping, text, textLike, wholeMilliseconds, wholeNumber } = fields;

/** Keys of the built-in model providers. */
const vendorKeys: KeyDescriptions = {
  api_key: "Always null: keys come only from the environment.",
  api_key_env:
    "Environment variable that holds the key; by default ANTHROPIC_API_KEY or OPENAI_API_KEY.",
  default_model: "The model of calls that name none.",
  max_tokens: "Most tokens of an answer; of anthropic by default 4096.",
  max_retries: "Attempts after the first one, of requests that a repetition may mend.",
  base_url: "Where the server is; by default the vendor's own.",
  timeout: "Seconds to wait for an answer, and between two parts of a streamed one.",
  prices:
    "US dollars per million tokens (input, output, cached_input), by model id or the beginning of one.",
  "prices.*.input": "Of a million tokens of requests.",
  "prices.*.output": "Of a million tokens of answers.",
  "prices.*.cached_input": "Of a million tokens of requests that the provider had kept.",
};

const timeoutSecondsMax = modelTimeoutMsMax / 1000;
const timeoutWanted = `a number of seconds above 0, at most ${timeoutSecondsMax}`;
const price = () => {
  const error = "a number of US dollars per million tokens, 0 or more";
  return z.number({ error }).min(0, { error });
};
const prices = () =>
  z.record(
    text("the beginning of a model's id"),
    mapping({ input: price(), output: price(), cached_input: price().optional() }),
    { error: "a mapping from model ids to prices" },
  );

/** What the providers of both vendors take. */
const vendorSettings = mapping({
  api_key: z
    .null({
      error:
        "no key: keys come only from the environment, and api_key_env names the variable when it is not the usual one",
    })
    .optional(),
  api_key_env: textLike(variableNamePattern, "the name of an environment variable").optional(),
  default_model: text("the name of a model").optional(),
  max_tokens: wholeNumber({ min: 1 }).optional(),
  max_retries: wholeNumber({ min: 0, max: 100 }).default(3),
  base_url: z
    .string({ error: "an http or https URL" })
    .refine(isServerUrl, { error: "an http or https URL without user, password and query" })
    .optional(),
  timeout: z
    .number({ error: timeoutWanted })
    .gt(0, { error: timeoutWanted })
    .max(timeoutSecondsMax, { error: timeoutWanted })
    .default(timeoutSecondsMax),
  prices: prices().optional(),
}).transform((given) => ({
  apiKeyEnv: given.api_key_env,
  defaultModel: given.default_model,
  maxTokens: given.max_tokens,
  retryCountMax: given.max_retries,
  baseUrl: given.base_url,
  timeoutMs: wholeMilliseconds(given.timeout),
  prices:
    given.prices === undefined
      ? undefined
      : Object.fromEntries(
          Object.entries(given.prices).map(([model, { cached_input: cachedInput, ...rest }]) => [
            model,
            { ...rest, cachedInput },
          ]),
        ),
}));

function vendorKind(name: string) {
  return {
    name,
    keys: vendorKeys,
    settings: vendorSettings,
    // Whoever writes a key into the file by mistake does not find it in a terminal's history, too.
    secretKeys: ["api_key"],
    unquotedKeys: ["api_key_env", "base_url"],
  } satisfies DescribedPlugin;
}

/** `type: anthropic`, whose general name is `llm_provider_a`. */
export const anthropicKinds = [vendorKind("anthropic"), vendorKind("llm_provider_a")];

/** `type: openai`, whose general name is `llm_provider_b`. */
export const openAiKinds = [vendorKind("openai"), vendorKind("llm_provider_b")];

/** The model providers of this build. */
export const modelKinds: readonly DescribedPlugin[] = [...anthropicKinds, ...openAiKinds];
