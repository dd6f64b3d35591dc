/**
 * The control plane of a topology that runs in several processes: what is asked about an agent of another process is
 * asked there.
 *
 *     request → askElsewhere → Elsewhere.ask → answerElsewhere → the same route over the runtime of that process
 *     followWorkers → Elsewhere.ask → pages of a worker's events → the stream of this process
 *
 * Who may ask, and the records of what was done, belong to the process that was asked first.
 */
export type { AgentRoute } from "./agent-route.ts";
export { answerElsewhere } from "./answer-elsewhere.ts";
export { askConditions } from "./ask-conditions.ts";
export { askElsewhere } from "./ask-elsewhere.ts";
export { type FeedPageBody, feedQuestions, feedWaitMs, readFeedPage } from "./feed-page.ts";
export { followWorkers } from "./follow-workers.ts";
export { refusalOf } from "./refusal.ts";
export { wholeView } from "./whole-view.ts";
export { askProcess } from "./ask-process.ts";
export { ownQuestion, questionOf } from "./question.ts";
export type { ControlRequest } from "./control-request.ts";
