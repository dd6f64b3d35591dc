import type { RuntimeSnapshot } from "../../runtime/index.ts";
import type { RequestMetricsValue } from "../../gateway/index.ts";
import type { ProcessUsage } from "../telemetry-view.ts";
import { type Family, histogramSamples, type Sample } from "./family-text.ts";

/** @returns The families of gateways. */
export function gatewayFamilies({ requests, durations }: RequestMetricsValue): Family[] {
  return [
    {
      name: "agentrt_gateway_requests_total",
      type: "counter",
      help: "Requests that have ended; the status is that of HTTP, over gRPC its own.",
      samples: requests.map(({ gateway, protocol, method, route, status, count }) => ({
        labels: [
          ["gateway", gateway],
          ["protocol", protocol],
          ["method", method],
          ["route", route],
          ["status", String(status)],
        ],
        value: count,
      })),
    },
    {
      name: "agentrt_gateway_request_duration_seconds",
      type: "histogram",
      help: "Time from a request to the end of its answer.",
      samples: durations.flatMap(({ gateway, route, durations: times }) =>
        histogramSamples(
          [
            ["gateway", gateway],
            ["route", route],
          ],
          times,
        ),
      ),
    },
  ];
}

/** @returns The families of exporters of spans. */
export function exporterFamilies({ exporters }: RuntimeSnapshot): Family[] {
  const family = (
    name: string,
    help: string,
    valueOf: (counts: RuntimeSnapshot["exporters"][number]) => number,
  ): Family => ({
    name,
    type: "counter",
    help,
    samples: exporters.map((counts) => ({
      labels: [["exporter", counts.exporter]],
      value: valueOf(counts),
    })),
  });
  return [
    family("agentrt_spans_exported_total", "Spans that exporters took.", (each) => each.exported),
    family(
      "agentrt_spans_dropped_total",
      "Spans that were dropped because too many waited.",
      (each) => each.dropped,
    ),
    family(
      "agentrt_spans_failed_total",
      "Spans that exporters could not take.",
      (each) => each.failed,
    ),
  ];
}

/** @returns The family of messages between processes; without series where nobody knows. */
export function linkFamily({ linkLosses }: RuntimeSnapshot): Family {
  const one = (reason: string, value: number): Sample => ({ labels: [["reason", reason]], value });
  return {
    name: "agentrt_link_messages_lost_total",
    type: "counter",
    help: "Messages between processes that were lost: unsent by this one, or missing of those for it.",
    samples:
      linkLosses === undefined
        ? []
        : [one("unsent", linkLosses.unsentCount), one("missing", linkLosses.missingCount)],
  };
}

/** @returns The families of the process; the names are those that Prometheus' own libraries use. */
export function processFamilies(usage: ProcessUsage): Family[] {
  const one = (name: string, help: string, value: number | undefined): Family => ({
    name,
    type: name.endsWith("_total") ? "counter" : "gauge",
    help,
    samples: value === undefined ? [] : [{ labels: [], value }],
  });
  const delay = (part: string, ms: number): Sample => ({
    labels: [["stat", part]],
    value: ms / 1000,
  });
  const { loopDelay } = usage;
  return [
    one("process_cpu_seconds_total", "Processor time, user and system.", usage.cpuSeconds),
    one("process_resident_memory_bytes", "Memory that is resident.", usage.rssBytes),
    one("process_start_time_seconds", "Start since the Unix epoch.", usage.startTimeSeconds),
    one("nodejs_heap_size_used_bytes", "Memory of JavaScript that is in use.", usage.heapUsedBytes),
    {
      name: "agentrt_event_loop_delay_seconds",
      type: "gauge",
      help: "How late the event loop was over the last minute or more.",
      samples:
        loopDelay === undefined
          ? []
          : [
              delay("p50", loopDelay.p50Ms),
              delay("p99", loopDelay.p99Ms),
              delay("max", loopDelay.maxMs),
            ],
    },
  ];
}
