/**
 * What `agentrt doctor` looks at before a topology runs, or while it does: one file for each thing.
 *
 *     topology → listenerNodes → checkListeners, checkCertificates, checkNetwork → Finding[] → the command prints them
 *                              → checkState, checkLimits, checkNode
 *
 * Nothing is changed: ports are listened on for an instant, stores are opened to be looked at. The folder must not know how
 * findings are printed, nor load the user's code.
 */
export { checkCertificates } from "./check-certificates.ts";
export { checkLimits } from "./check-limits.ts";
export { checkListeners } from "./check-listeners.ts";
export { checkNetwork } from "./check-network.ts";
export { checkNode } from "./check-node.ts";
export { checkState } from "./check-state.ts";
export { type DoctorCheck, doctorChecks, type Finding } from "./finding.ts";
export { listenerNodes } from "./listener-nodes.ts";
