/**
 * The work of `agentrt sim`: what is asked, its runs in this process or spread over several, and their totals.
 *
 *     CommandInput ─ request ─▶ runs | jobs (their own processes) ─▶ totals ─▶ text or JSON
 *
 * It must not read `process.argv`.
 */
export { commandLine, readSimulationRequest } from "./request.ts";
export { runSimulation } from "./runs.ts";
export { runCrash } from "./crash-run.ts";
