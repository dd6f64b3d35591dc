/**
 * The counters of a runtime as Prometheus scrapes them: `GET /metrics`.
 *
 *     RuntimeView → families of agents, gateways, exporters and the process → text
 *
 * Names and units go by Prometheus' rules, except those that are older than this folder. What could have any number of
 * values is bounded: beyond `agentCountMax` agents the others are added up under one name.
 * The room must not know how anything is counted.
 */
export { metricsContentType } from "./family-text.ts";
export { metricsText, scrapeWaitMs } from "./metrics-text.ts";
