import {
  type ModelChunk,
  modelErrors,
  type ModelHost,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
} from "../../core/index.ts";
import { checkModelOptions, ModelKey, type VendorModelOptions } from "./model-options.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { priceOf } from "./prices.ts";
import { vendorFailure } from "./vendor-failure.ts";

/** What sets one vendor apart. */
export interface Vendor<Client> {
  /** Names the provider until a runtime gives it a name. */
  readonly type: string;
  /** The package that speaks to it, and the command that brings it. */
  readonly packageName: string;
  readonly installCommand: string;
  /** Where the key is when nothing else is said. */
  readonly keyVariable: string;
  /** Most tokens of an answer when nobody says; undefined where the server decides. */
  readonly maxTokensDefault?: number;
  /** Loads the package and makes a client. */
  connect(options: ClientOptions): Promise<Client>;
  /** Asks once, in the vendor's words. */
  ask(asked: VendorRequest<Client>): Promise<ModelReply>;
  /** Asks once, and turns the vendor's parts into ours; the last one is `end`. */
  askStreaming(asked: VendorRequest<Client>): AsyncIterable<ModelChunk>;
}

/** What a client of either vendor's package is made from. */
export interface ClientOptions {
  readonly apiKey: string;
  readonly baseURL: string | undefined;
  /** The package's own time-out, behind that of the runtime, which keeps the time. */
  readonly timeout: number;
  readonly maxRetries: 0;
  /** Its debug lines hold requests and answers. */
  readonly logLevel: "off";
  readonly fetch: typeof fetch;
}

/** One request on its way. */
export interface VendorRequest<Client> {
  readonly client: Client;
  readonly request: ModelRequest;
  /** The provider's name, for errors. */
  readonly provider: string;
  readonly options: VendorModelOptions;
}

/** Most keys whose clients are kept; one that was dropped is made again. */
const clientCountMax = 64;
const packageTimeoutMs = 600_000;

/**
 * What the providers of both vendors have in common: the package that is loaded with the first request, the key that
 * is read from the environment and shows up nowhere, errors of the table. Its type names neither package: the
 * declarations of agentrt are read where they are not installed.
 */
export class VendorModel implements ModelProvider {
  readonly defaultModel: string | undefined;
  readonly retryCountMax: number | undefined;
  readonly retryBaseMs: number | undefined;
  readonly timeoutMs: number;
  readonly maxTokens: number | undefined;
  readonly #vendor: Vendor<unknown>;
  readonly #key: ModelKey;
  /** Private, as the environment in it holds keys: printing a provider shows none. */
  readonly #options: VendorModelOptions;
  #host: ModelHost | undefined;
  /** Clients by key, the latest last: agents may have their own keys. */
  readonly #clients = new Map<string | undefined, Promise<unknown>>();

  /** @throws AGENTRT_MODEL_CONFIG_INVALID. */
  constructor(vendor: Vendor<unknown>, options: VendorModelOptions) {
    checkModelOptions(vendor.type, options);
    this.#vendor = vendor;
    this.#key = new ModelKey(options, vendor.keyVariable);
    this.#options = options;
    this.defaultModel = options.defaultModel;
    this.retryCountMax = options.retryCountMax;
    this.retryBaseMs = options.retryBaseMs;
    this.timeoutMs = options.timeoutMs ?? 300_000;
    this.maxTokens = options.maxTokens ?? vendor.maxTokensDefault;
  }

  /** {@inheritDoc ModelProvider.priceOf} */
  priceOf(model: string): ModelPrice | undefined {
    return priceOf(model, this.#options.prices);
  }

  /**
   * Sees that the package is there, without loading it, and warns when there is no key.
   *
   * @throws AGENTRT_MODEL_PACKAGE_MISSING.
   */
  open(host: ModelHost): void {
    this.#host = host;
    try {
      import.meta.resolve(this.#vendor.packageName);
    } catch (error) {
      throw this.#packageMissing(error);
    }
    try {
      this.#key.read(host.name);
    } catch {
      host.log.warn("no key: calls of this model provider will fail", {
        variable: this.#key.variable,
      });
    }
  }

  /** {@inheritDoc ModelProvider.chat} */
  async chat(request: ModelRequest): Promise<ModelReply> {
    const key = this.#key.read(this.#name, request.keyVariable);
    try {
      const client = await this.#connect(key);
      return await this.#vendor.ask({
        client,
        request,
        provider: this.#name,
        options: this.#options,
      });
    } catch (error) {
      throw this.#failure(error, { request, key });
    }
  }

  /** {@inheritDoc ModelProvider.stream} */
  async *stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    const key = this.#key.read(this.#name, request.keyVariable);
    try {
      const client = await this.#connect(key);
      yield* this.#vendor.askStreaming({
        client,
        request,
        provider: this.#name,
        options: this.#options,
      });
    } catch (error) {
      throw this.#failure(error, { request, key });
    }
  }

  get #name(): string {
    return this.#host?.name ?? this.#vendor.type;
  }

  #connect(key: string | undefined): Promise<unknown> {
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const made = this.#vendor
      .connect({
        // A server of one's own may want no key; the packages always want one.
        apiKey: key ?? "none",
        baseURL: this.#options.baseUrl,
        timeout: packageTimeoutMs,
        maxRetries: 0,
        logLevel: "off",
        fetch: limitedFetch,
      })
      .catch((error: unknown) => {
        this.#clients.delete(key);
        throw isPackageMissing(error) ? this.#packageMissing(error) : error;
      });
    this.#clients.set(key, made);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > clientCountMax) this.#clients.delete(oldest);
    return made;
  }

  #packageMissing(cause: unknown): Error {
    const { installCommand } = this.#vendor;
    return new modelErrors.PACKAGE_MISSING(
      { provider: this.#name, install: installCommand },
      { cause },
    );
  }

  #failure(
    error: unknown,
    { request, key }: { readonly request: ModelRequest; readonly key: string | undefined },
  ): Error {
    return vendorFailure(error, {
      provider: this.#name,
      model: request.model,
      key,
      nowMs: this.#host?.nowMs() ?? 0,
    });
  }
}

function isPackageMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === "ERR_MODULE_NOT_FOUND";
}

/** How a package makes a request: with the call's place in its trace, as W3C Trace Context says. */
export function requestOptionsOf({ signal, traceparent }: ModelRequest): {
  readonly signal: AbortSignal;
  readonly headers?: { traceparent: string };
} {
  return traceparent === undefined ? { signal } : { signal, headers: { traceparent } };
}
