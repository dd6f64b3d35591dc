import type { OverviewBody } from "../src/control/wire-history.ts";

/** What an agent had counted at a moment. */
export interface Sample {
  /** The clock of the server: seconds since the Unix epoch. */
  readonly at: number;
  readonly handled: number;
  readonly errors: number;
  readonly latencySumMs: number;
  readonly latencyCount: number;
}

/** A point of a chart; null where nothing is known. */
export interface Point {
  readonly at: number;
  readonly value: number | null;
}

/** Moments that are kept of an agent, and agents that are kept. */
const [sampleCountMax, agentCountMax] = [240, 20];
/** A longer pause, because nobody saw the page, is a gap. */
const gapSeconds = 20;

/** What is known of the agents that were looked at, the latest last: a page that is opened again goes on. */
const known = new Map<string, readonly Sample[]>();

/**
 * Adds what an answer says of an agent.
 *
 * @param name Of the agent; an answer without it, and one that was added already, adds nothing.
 * @returns What is known of it, the oldest first.
 */
export function noteSample(name: string, body: OverviewBody | undefined): readonly Sample[] {
  const samples = known.get(name) ?? [];
  const row = body?.agents.find((agent) => agent.name === name);
  if (body === undefined || row === undefined) return samples;
  if (body.timestamp <= (samples.at(-1)?.at ?? 0)) return samples;
  const sample: Sample = {
    at: body.timestamp,
    handled: row.messages_handled,
    errors: row.errors,
    latencySumMs: row.latency_sum_ms,
    latencyCount: row.latency_count,
  };
  const next = [...samples, sample].slice(-sampleCountMax);
  known.delete(name);
  known.set(name, next);
  for (const oldest of known.keys()) {
    if (known.size <= agentCountMax) break;
    known.delete(oldest);
  }
  return next;
}

/** @returns How fast a counter has grown, a second. */
export function ratesOf(samples: readonly Sample[], counter: "handled" | "errors"): Point[] {
  return between(samples, (one, other) => {
    const grown = other[counter] - one[counter];
    return grown < 0 ? null : grown / (other.at - one.at);
  });
}

/** @returns The mean time of a message, milliseconds. */
export function latenciesOf(samples: readonly Sample[]): Point[] {
  return between(samples, (one, other) => {
    const count = other.latencyCount - one.latencyCount;
    return count <= 0 ? null : Math.max(0, other.latencySumMs - one.latencySumMs) / count;
  });
}

function between(
  samples: readonly Sample[],
  valueOf: (one: Sample, other: Sample) => number | null,
): Point[] {
  return samples.slice(1).map((other, index) => {
    const one = samples[index] ?? other;
    const isGap = other.at - one.at > gapSeconds;
    return { at: other.at, value: isGap ? null : valueOf(one, other) };
  });
}

/**
 * Draws points as the path of an SVG of this size. Where nothing is known the line is interrupted; a point without neighbours is a
 * short stroke.
 *
 * @param points By their time.
 * @param most What is at the top; the bottom is 0.
 */
export function pathOf(
  points: readonly Point[],
  {
    width,
    height,
    most,
  }: { readonly width: number; readonly height: number; readonly most: number },
): string {
  const begin = points[0]?.at ?? 0;
  const seconds = Math.max(1, (points.at(-1)?.at ?? begin) - begin);
  let path = "";
  let isDown = false;
  for (const { at, value } of points) {
    if (value === null) {
      isDown = false;
      continue;
    }
    const x = ((at - begin) / seconds) * width;
    const y = height - (most === 0 ? 0 : value / most) * height;
    const place = `${x.toFixed(1)} ${y.toFixed(1)}`;
    path += isDown ? `L${place}` : `M${place}h0.1`;
    isDown = true;
  }
  return path;
}
