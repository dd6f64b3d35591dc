/**
 * Talking to a topology that runs: its agents through the gateway, its control plane through the topology server.
 *
 * It must not know the flags of a command.
 */
export { requestFor } from "./agent-request.ts";
export { askControl, type ControlAnswer, controlUrl } from "./control-plane.ts";
export { renderLiveCircuits } from "./live-circuits.ts";
export { fetchLiveTopology, renderLiveTopology } from "./live-topology.ts";
export { agentNames, refusalReason } from "./refusal.ts";
export { type StreamedEvent, streamedEvents } from "./streamed-events.ts";
export { compareNames } from "./compare-names.ts";
export { isLivePlan, type LivePlanBody, renderLivePlan } from "./live-plan.ts";
export { pollApply } from "./poll-apply.ts";
