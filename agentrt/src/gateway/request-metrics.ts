import { Histogram, type HistogramValue } from "../core/index.ts";
import type { RequestProtocol, RequestRecord } from "./request-record.ts";

/** Requests that agree in all of this. */
export interface RequestCount {
  /** Name of the gateway. */
  readonly gateway: string;
  readonly protocol: "http" | "websocket" | "grpc";
  /** Upper-case; `other` for one that HTTP does not define. */
  readonly method: string;
  /** The path pattern; `none` where no route serves it. */
  readonly route: string;
  /** Of HTTP, 499 where the client left before its answer; of gRPC its own. */
  readonly status: number;
  readonly count: number;
}

/** How long the requests of a route took. */
export interface RequestDurations {
  readonly gateway: string;
  readonly route: string;
  readonly durations: HistogramValue;
}

/** The requests of all gateways of a runtime, as plain values. */
export interface RequestMetricsValue {
  readonly requests: readonly RequestCount[];
  readonly durations: readonly RequestDurations[];
}

/** How a request ended, as far as it is counted. */
export interface CountedOutcome {
  readonly status: number;
  readonly grpcStatus?: number | undefined;
  readonly durationMs: number;
}

const knownMethods: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT DELETE PATCH OPTIONS TRACE CONNECT QUERY".split(" "),
);
/** Most series of requests; what comes beyond is counted under the route `other`. */
export const requestSeriesCountMax = 2000;
const otherRoute = "other";

interface Counted {
  readonly labels: Omit<RequestCount, "count">;
  count: number;
}

/** Counts the requests of the gateways of a runtime: by route and status, and how long they took by route. */
export class RequestMetrics {
  readonly #requests = new Map<string, Counted>();
  readonly #durations = new Map<string, { gateway: string; route: string; of: Histogram }>();

  /**
   * Counts a request that has ended.
   *
   * @param gateway Name of the gateway.
   * @param record Of the request.
   * @param outcome How it ended.
   */
  count(gateway: string, record: RequestRecord, outcome: CountedOutcome): void {
    const protocol = protocolOf(record.protocol);
    const status = protocol === "grpc" ? (outcome.grpcStatus ?? outcome.status) : outcome.status;
    const method = knownMethods.has(record.method) ? record.method : "other";
    const route = record.route ?? "none";
    const labels = { gateway, protocol, method, route, status };
    let counted = this.#requests.get(keyOf(labels));
    if (counted === undefined) {
      const isFull = this.#requests.size >= requestSeriesCountMax;
      counted = this.#counted(isFull ? { ...labels, route: otherRoute, method: "other" } : labels);
    }
    counted.count += 1;
    this.#durationsOf(gateway, counted.labels.route).observe(outcome.durationMs);
  }

  /** @returns What was counted, in the order in which it came first. */
  toValue(): RequestMetricsValue {
    return {
      requests: [...this.#requests.values()].map(({ labels, count }) => ({ ...labels, count })),
      durations: [...this.#durations.values()].map(({ gateway, route, of }) => ({
        gateway,
        route,
        durations: of.toValue(),
      })),
    };
  }

  #counted(labels: Counted["labels"]): Counted {
    const key = keyOf(labels);
    const found = this.#requests.get(key) ?? { labels, count: 0 };
    this.#requests.set(key, found);
    return found;
  }

  #durationsOf(gateway: string, route: string): Histogram {
    const key = `${gateway}\n${route}`;
    const found = this.#durations.get(key);
    if (found !== undefined) return found.of;
    const made = { gateway, route, of: new Histogram() };
    this.#durations.set(key, made);
    return made.of;
  }
}

function keyOf({ gateway, protocol, method, route, status }: Counted["labels"]): string {
  return `${gateway}\n${protocol}\n${method}\n${route}\n${status}`;
}

function protocolOf(protocol: RequestProtocol): RequestCount["protocol"] {
  if (protocol === "gRPC") return "grpc";
  return protocol === "WebSocket" ? "websocket" : "http";
}
