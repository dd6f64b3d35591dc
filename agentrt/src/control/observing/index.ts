/**
 * What happened lately in a tree, kept in memory for those who ask later.
 *
 *     RuntimeEvent → EventTeller → HistoryBook (by agent)
 *                        │       → CrashBook (by id)
 *                        └──────→ Feed (numbered; watchers hold a place in it, and nothing else)
 *     Log        → LogBook (by agent)
 *     DeadLetter → LetterBox (payloads, where they are to be kept)
 *     snapshots  → AgentSeries (which agents have series)
 *
 * One `Observer` for each runtime that has a control plane; a tree without one keeps nothing. Everything has a named
 * maximum. The room knows nothing of requests: `views/` makes answers of what is kept here.
 */
export { agentCountMax, AgentSeries, type Counters } from "./agent-series.ts";
export { Feed, type FeedPiece } from "./feed.ts";
export { lineBody, type LogLine, logLineCountMax } from "./log-book.ts";
export { messageBody } from "./message-body.ts";
export { Observer, type Observed } from "./observer.ts";
export type { ToldEvent } from "./told-event.ts";
