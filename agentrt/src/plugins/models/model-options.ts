import process from "node:process";
import { modelErrors } from "../../core/index.ts";
import type { ModelPrices } from "./prices.ts";
import { isServerUrl, modelTimeoutMsMax } from "./server-limits.ts";

/** What a provider of a vendor takes. There is no option for a key: keys come only from the environment. */
export interface VendorModelOptions {
  /** The model of calls that name none; default none. */
  readonly defaultModel?: string | undefined;
  /** Most tokens of an answer, 1 or more. */
  readonly maxTokens?: number | undefined;
  /** Attempts after the first one, 0 or more; default 3. */
  readonly retryCountMax?: number | undefined;
  /** First wait before a retry when the server does not say how long; it doubles up to 8 s. Default 500. */
  readonly retryBaseMs?: number | undefined;
  /** Upper bound on the wait for an answer, and between two parts of a streamed one, 1 to 300_000; default 300_000. */
  readonly timeoutMs?: number | undefined;
  /** Where the server is; default the vendor's own. */
  readonly baseUrl?: string | undefined;
  /** Environment variable that holds the key; default the vendor's usual one. */
  readonly apiKeyEnv?: string | undefined;
  /** Prices by model id or the beginning of one; they go before the built-in list. */
  readonly prices?: ModelPrices | undefined;
  /** Where keys are read; default this process's environment. */
  readonly environment?: { readonly [name: string]: string | undefined } | undefined;
}

/**
 * Refuses options that no vendor's server could serve.
 *
 * @param provider Which provider, for the message.
 * @param options What it was given.
 * @throws AGENTRT_MODEL_CONFIG_INVALID.
 */
export function checkModelOptions(provider: string, options: VendorModelOptions): void {
  const refuse = (option: string, wanted: string): never => {
    throw new modelErrors.CONFIG_INVALID({ provider, option, reason: `want ${wanted}` });
  };
  if (Object.hasOwn(options, "apiKey"))
    refuse(
      "apiKey",
      "no key in the program: set the environment variable, or name it in apiKeyEnv",
    );
  const { maxTokens, retryCountMax, timeoutMs, baseUrl } = options;
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1))
    refuse("maxTokens", "a whole number of 1 or more");
  if (retryCountMax !== undefined && !(Number.isInteger(retryCountMax) && retryCountMax >= 0))
    refuse("retryCountMax", "a whole number of 0 or more");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= modelTimeoutMsMax))
    refuse("timeoutMs", `a number above 0, at most ${modelTimeoutMsMax}`);
  if (baseUrl !== undefined && !isServerUrl(baseUrl))
    refuse("baseUrl", "an http or https URL without user, password and query");
}

/** Reads the key of a provider each time it is used, so that one that is replaced is seen. */
export class ModelKey {
  /** The variable that holds it. */
  readonly variable: string;
  readonly #options: VendorModelOptions;

  constructor(options: VendorModelOptions, vendorVariable: string) {
    this.variable = options.apiKeyEnv ?? vendorVariable;
    this.#options = options;
  }

  /**
   * @param provider Which provider, for the message.
   * @param own Variable of the agent that asks, in place of the provider's.
   * @returns The key; `undefined` when there is none and a server of one's own was named, which may want none.
   * @throws AGENTRT_MODEL_KEY_MISSING.
   */
  read(provider: string, own?: string): string | undefined {
    const variable = own ?? this.variable;
    const key = (this.#options.environment ?? process.env)[variable]?.trim();
    if (key !== undefined && key !== "") return key;
    const isOptional =
      own === undefined &&
      this.#options.baseUrl !== undefined &&
      this.#options.apiKeyEnv === undefined;
    if (isOptional) return undefined;
    throw new modelErrors.KEY_MISSING({ provider, variable });
  }
}
