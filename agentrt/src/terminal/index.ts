/**
 * What views of a whole terminal share: how wide a text is, small charts, what a person pressed, and the screen, whose
 * library is loaded when one is opened.
 *
 * It must not know what is shown, nor ask anybody for it.
 */
export { cutText, padText, widthOf } from "./cell-width.ts";
export { createTones, type Tones } from "./tones.ts";
export { gauge } from "./gauge.ts";
export { type ChartSeries, lineChart, seriesLetter, seriesTone } from "./line-chart.ts";
export { sparkline } from "./sparkline.ts";
export { type Frame, linesOf, type Pane, paneAt, type Spot, type TerminalSize } from "./frame.ts";
export type { KeyName, TerminalEvent } from "./terminal-event.ts";
export { missingScreen, openScreen, type Screen } from "./screen.ts";
