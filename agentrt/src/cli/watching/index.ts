/**
 * What the commands share that look at a running topology: asking its control plane, following its streams, tables, times,
 * and pictures that are drawn again.
 *
 * Each command reads documented routes of the control plane, and nothing else. What answers may be any server: texts of it
 * cannot command a terminal, and nothing that is missing makes a command fail.
 */
export {
  agentPath,
  type ControlReader,
  objectOf,
  objectsOf,
  openControl,
  printJson,
  type WireObject,
} from "./control-reader.ts";
export { followRestart } from "./follow-restart.ts";
export { followStream } from "./follow-stream.ts";
export {
  atHandText,
  awaitedText,
  drawRows,
  type OverviewRow,
  readOverview,
  statusColour,
} from "./overview.ts";
export { LogLines } from "./log-lines.ts";
export { knownAgentNames } from "./known-agent-names.ts";
export { Pace } from "./pace.ts";
export { repaint } from "./repaint.ts";
export {
  ageText,
  clockOf,
  durationText,
  momentText,
  numberIn,
  pairsText,
  textIn,
} from "./shown.ts";
export { stackLines } from "./stack-lines.ts";
export { type Cell, type Column, drawTable } from "./table.ts";
export { troubleText } from "./trouble.ts";
export { suspendedText } from "./suspension-text.ts";
export { replacedWaits } from "./replaced-waits.ts";
