/**
 * The live dashboard: what its panes show of answers of the control plane, what its keys do, and how it is polled.
 *
 * It reads documented routes of the control plane, and nothing else.
 */
export { printOnce, runDashboard, runPlain } from "./run-dashboard.ts";
export type { Source } from "./polled-bodies.ts";
export { Tab } from "./tab.ts";
