import { z } from "zod";
import { isServerUrl, modelTimeoutMsMax } from "../../plugins/models/server-limits.ts";
import { variableNamePattern } from "../../state/state-keys.ts";
import {
  mapping,
  text,
  textLike,
  wholeMilliseconds,
  wholeNumber,
} from "../../topology/schema/fields.ts";
import type { PluginKind } from "../../topology/index.ts";

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
        "no key: keys come from the environment alone, and api_key_env names the variable when it is not the usual one",
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
}).transform((fields) => ({
  apiKeyEnv: fields.api_key_env,
  defaultModel: fields.default_model,
  maxTokens: fields.max_tokens,
  retryCountMax: fields.max_retries,
  baseUrl: fields.base_url,
  timeoutMs: wholeMilliseconds(fields.timeout),
  prices:
    fields.prices === undefined
      ? undefined
      : Object.fromEntries(
          Object.entries(fields.prices).map(([model, { cached_input: cachedInput, ...rest }]) => [
            model,
            { ...rest, cachedInput },
          ]),
        ),
}));

function vendorKind(name: string) {
  return {
    name,
    settings: vendorSettings,
    // Whoever writes a key into the file by mistake does not find it in a terminal's history, too.
    secretKeys: ["api_key"],
    unquotedKeys: ["api_key_env", "base_url"],
  } satisfies PluginKind;
}

/** `type: anthropic`, whose general name is `llm_provider_a`. */
export const anthropicKinds = [vendorKind("anthropic"), vendorKind("llm_provider_a")];

/** `type: openai`, whose general name is `llm_provider_b`. */
export const openAiKinds = [vendorKind("openai"), vendorKind("llm_provider_b")];

/** The model providers of this build. */
export const modelKinds: readonly PluginKind[] = [...anthropicKinds, ...openAiKinds];
