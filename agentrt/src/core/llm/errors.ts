import { defineErrors } from "../values/index.ts";
import type { ModelUsage } from "./model-provider.ts";

/** Which provider, and which of its models, was asked. */
interface Asked {
  readonly provider: string;
  readonly model: string;
}

const asked = ({ provider, model }: Asked): string =>
  `Cannot ask model "${model}" of "${provider}"`;

/** What is spent of a budget, and when it is free again. */
function budgetState(d: {
  readonly per: "run" | "hour" | "key";
  readonly unit: "usd" | "tokens";
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
  readonly freesAtMs: number | null;
}): string {
  const unit = d.unit === "usd" ? "USD" : "tokens";
  const shown = (value: number): string => String(Number(value.toFixed(6)));
  const period = d.per === "hour" ? " this hour" : "";
  const held = d.reserved === 0 ? "" : ` and ${shown(d.reserved)} held back for calls that run`;
  const until =
    d.freesAtMs === null
      ? "until it is reset"
      : `until ${new Date(d.freesAtMs).toISOString().replace(".000", "")}`;
  return `${shown(d.spent)} of ${shown(d.limit)} ${unit} spent${period}${held}, ${until}`;
}

/** Errors of model providers and of asking them. */
export const modelErrors = defineErrors("AGENTRT_MODEL", {
  NOT_CONFIGURED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string }) =>
      `Cannot ask a model for "${d.agent}": no model provider is configured`,
    remedy:
      "Name one under `plugins.models` of the topology, or in `models` of the Runtime's options",
  },
  UNKNOWN_NAME: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; name: string; hint: string }) =>
      `Cannot ask model provider "${d.name}" for "${d.agent}": there is none of that name${d.hint}`,
    remedy: "Correct the name; a provider is called by its `name`, without one by its type",
  },
  DUPLICATE_NAME: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { name: string }) =>
      `Cannot use two model providers named "${d.name}": agents could not tell them apart`,
    remedy: "Give each entry a different `name`",
  },
  NO_MODEL: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { provider: string }) =>
      `Cannot ask "${d.provider}": neither the call names a model nor its config a default_model`,
    remedy: "Set default_model, or give `model` in the call",
  },
  REQUEST_INVALID: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; place: string; found: string; wanted: string }) =>
      `Cannot ask a model for "${d.agent}": ${d.place} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the call",
  },
  CONFIG_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { provider: string; option: string; reason: string }) =>
      `Cannot make model provider "${d.provider}": ${d.option}: ${d.reason}`,
    remedy: "Correct its config",
  },
  PACKAGE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { provider: string; install: string }) =>
      `Cannot use model provider "${d.provider}": its package is not installed; \`${d.install}\` brings it`,
    remedy: "Install it next to agentrt, and start again",
  },
  KEY_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { provider: string; variable: string }) =>
      `Cannot ask "${d.provider}": the environment variable ${d.variable} holds no key`,
    remedy: "Set the variable where agentrt runs; keys are never read from a file",
  },
  CALLS_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; callCountMax: number }) =>
      `Cannot ask a model for "${d.agent}": ${d.callCountMax} of its calls run already`,
    remedy:
      "Wait for answers before asking more, and read every stream to its end or leave its loop",
  },
  BUDGET_EXCEEDED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: {
      agent: string;
      budget: string;
      per: "run" | "hour" | "key";
      unit: "usd" | "tokens";
      limit: number;
      spent: number;
      reserved: number;
      freesAtMs: number | null;
    }) =>
      `Cannot ask a model for "${d.agent}": the budget of "${d.budget}" is used up: ${budgetState(d)}`,
    remedy:
      "Wait for the next hour, raise the budget, or begin it again with `agentrt budget reset`",
  },
  BUDGET_UNPRICED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: Asked & { agent: string; budget: string }) =>
      `${asked(d)} for "${d.agent}": the budget of "${d.budget}" is in USD, and no price of the model is known`,
    remedy: "Give its price in `prices` of the provider's config, or set the budget in tokens",
  },
  NO_BUDGET: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { name: string }) => `Cannot reset the budget of "${d.name}": it has none`,
    remedy: "Name the agent, supervisor or key that has the budget; /snapshot lists them",
  },
  BUDGET_NOT_SAVED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; budget: string; work: string }) =>
      `Cannot ask a model for "${d.agent}": the ledger of the budget of "${d.budget}" could not be ${d.work}`,
    remedy: "Look at the state store: without its ledger a budget lets nothing pass",
  },
  BUDGET_LEDGER_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { budget: string; reason: string }) =>
      `Cannot read what was spent of the budget of "${d.budget}": ${d.reason}`,
    remedy: "`agentrt budget reset` begins it again, from nothing spent",
  },
  RATE_LIMITED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: Asked & { reason: string; retryAfterMs?: number | undefined }) =>
      `${asked(d)}: it takes no more requests for now${d.retryAfterMs === undefined ? "" : `, again in ${d.retryAfterMs} ms`}: ${d.reason}`,
    remedy: "Ask less often, or raise the limit of the account",
  },
  OVERLOADED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: Asked & { reason: string; retryAfterMs?: number | undefined }) =>
      `${asked(d)}: it is overloaded: ${d.reason}`,
    remedy: "Ask later, or another model",
  },
  SERVER_FAILED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: Asked & { status: number; reason: string; retryAfterMs?: number | undefined }) =>
      `${asked(d)}: it failed with status ${d.status}: ${d.reason}`,
    remedy: "Ask later; the provider's status page may know more",
  },
  UNREACHABLE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: Asked & { reason: string; connectionCode?: string | undefined }) =>
      `${asked(d)}: no connection: ${d.reason}`,
    remedy: "See that the server runs and that base_url is right",
  },
  REFUSED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: Asked & { status: number | undefined; reason: string }) =>
      `${asked(d)}: it refused the request${d.status === undefined ? "" : ` with status ${d.status}`}: ${d.reason}`,
    remedy: "Correct the key, the name of the model or the request",
  },
  REPLY_INVALID: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: Asked & { reason: string }) =>
      `${asked(d)}: its answer makes no sense: ${d.reason}`,
    remedy: "See that base_url leads to a server of this kind",
  },
  TOOL_INPUT_INVALID: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: Asked & { tool: string; reason: string; usage?: ModelUsage | undefined }) =>
      `${asked(d)}: it wants tool "${d.tool}" with arguments that are not a JSON object: ${d.reason}`,
    remedy: "Ask again; if it was cut, raise max_tokens",
  },
  STREAM_CUT: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: Asked & { reason: string }) => `${asked(d)}: its answer broke off: ${d.reason}`,
    remedy: "Ask again",
  },
  TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: Asked & { waited: string; timeoutMs: number }) =>
      `${asked(d)}: ${d.waited} came within ${d.timeoutMs} ms`,
    remedy: "Raise `timeout` in its config or `timeoutMs` in the call, or stream the answer",
  },
  FALLBACKS_FAILED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (
      d: Asked & {
        /** In the order in which they were asked, the first one included. */
        failures: readonly {
          readonly provider: string;
          /** Of an error of a table; else null. */
          readonly code: string | null;
          readonly reason: string;
        }[];
      },
    ) =>
      `${asked(d)}: neither it nor a fallback answered: ${d.failures.map(({ provider, reason }) => `"${provider}": ${reason}`).join("; ")}`,
    remedy: "Ask later, or name a fallback that fails for other reasons",
  },
  NOT_RECORDED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: Asked & { recordedCount: number }) =>
      `${asked(d)}: the recording has no answer to this request among its ${d.recordedCount}`,
    remedy: "Record the run again, or answer by a script where requests differ from run to run",
  },
  CANCELLED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: Asked) => `${asked(d)}: the caller cancelled it`,
    remedy: "Ask again when the answer is wanted",
  },
});
