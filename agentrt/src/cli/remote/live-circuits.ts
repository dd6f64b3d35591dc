import type { Style } from "../command.ts";
import { countOf, shownText } from "./wire-values.ts";

/** A circuit of a running tree, as far as it is drawn. */
export interface LiveCircuit {
  /** `model`, `agent` or `tool`. */
  readonly kind: string;
  readonly name: string;
  /** `closed`, `open` or `half_open`. */
  readonly state: string;
  readonly callCount: number;
  readonly failureCount: number;
  readonly refusedCount: number;
  readonly retryAfterSeconds: number;
  /** The worker that it is in; undefined for the process that has the tree. */
  readonly worker: string | undefined;
}

/**
 * Reads the circuits of a running topology.
 *
 * @param body What `/topology` answered.
 * @returns Those that make sense; empty where there are none.
 */
export function readLiveCircuits(body: unknown): LiveCircuit[] {
  const circuits: unknown =
    typeof body === "object" && body !== null && "circuits" in body ? body.circuits : undefined;
  if (!Array.isArray(circuits)) return [];
  return (circuits as unknown[]).flatMap((each) => readLiveCircuit(each) ?? []);
}

function readLiveCircuit(value: unknown): LiveCircuit | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as { readonly [name: string]: unknown };
  const kind = shownText(fields["kind"]);
  const name = shownText(fields["name"]);
  const state = shownText(fields["state"]);
  if (kind === undefined || name === undefined || state === undefined) return undefined;
  return {
    kind,
    name,
    state,
    callCount: countOf(fields["call_count"]) ?? 0,
    failureCount: countOf(fields["failure_count"]) ?? 0,
    refusedCount: countOf(fields["refused_count"]) ?? 0,
    retryAfterSeconds: countOf(fields["retry_after_seconds"]) ?? 0,
    worker: shownText(fields["worker"]),
  };
}

/**
 * Draws the circuits of a running tree.
 *
 * @param circuits The circuits.
 * @param style Colours of their states.
 * @returns A line each, after a title and before an empty line; empty where there are none.
 */
export function renderLiveCircuits(circuits: readonly LiveCircuit[], style: Style): string {
  if (circuits.length === 0) return "";
  const lines = circuits.map((circuit) => {
    const { kind, name, callCount, failureCount, refusedCount, retryAfterSeconds } = circuit;
    return [
      `  ${kind} ${name}${circuit.worker === undefined ? "" : ` on ${circuit.worker}`}`,
      colouredState(circuit.state, style),
      `failed: ${failureCount}/${callCount}`,
      refusedCount > 0 ? `refused: ${refusedCount}` : "",
      retryAfterSeconds > 0 ? `again in: ${Math.ceil(retryAfterSeconds)}s` : "",
    ]
      .filter((part) => part !== "")
      .join("  ");
  });
  return `${["Circuits:", ...lines].join("\n")}\n\n`;
}

function colouredState(state: string, style: Style): string {
  if (state === "closed") return style.green(state);
  return state === "open" ? style.red(state) : style.yellow(state);
}
