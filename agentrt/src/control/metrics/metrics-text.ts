import { supervisionErrors } from "../../core/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { agentFamilies } from "./agent-families.ts";
import { familiesText } from "./family-text.ts";
import {
  exporterFamilies,
  gatewayFamilies,
  linkFamily,
  processFamilies,
} from "./process-families.ts";

/**
 * Writes what a runtime counts as Prometheus scrapes it.
 *
 * @param view Of the runtime.
 * @returns Lines; the last one ends with a line feed.
 */
export function metricsText(view: RuntimeView): string {
  const snapshot = view.snapshot();
  const usage = view.processUsage();
  return familiesText([
    ...agentFamilies(
      { snapshot, agents: view.observer.series.of(snapshot) },
      view.tree(),
      (name) => oldestMsOf(view, name),
      usage.nowMs,
    ),
    ...gatewayFamilies(view.requestMetrics()),
    ...exporterFamilies(snapshot),
    linkFamily(snapshot),
    {
      name: "agentrt_runtime_uptime_seconds",
      type: "gauge",
      help: "Seconds since the runtime started.",
      samples: [{ labels: [], value: snapshot.uptimeMs / 1000 }],
    },
    ...processFamilies(usage),
  ]);
}

function oldestMsOf(view: RuntimeView, name: string): number | null {
  try {
    return view.activity(name).oldestMs;
  } catch (error) {
    // It may have gone since the picture of the tree was made.
    if (error instanceof supervisionErrors.UNKNOWN_NAME) return null;
    throw error;
  }
}
