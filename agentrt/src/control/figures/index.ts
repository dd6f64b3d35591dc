/**
 * The figures of a topology that runs in several processes: what each worker counts and what its agents are like, and one
 * whole of them all.
 *
 *     worker: runtime → figuresBody → … → readFigures → FigureBook (sums over the processes of a group) → wholeOf
 *
 * All is plain values. The room must not know how workers are asked, nor what is made of the figures.
 */
export { FigureBook } from "./figure-book.ts";
export {
  type CountedRuntime,
  figuresBody,
  figuresQuestion,
  type ProcessFigures,
  readFigures,
  restingActivity,
} from "./process-figures.ts";
export { sumCounters } from "./sum-counters.ts";
export {
  type Condition,
  conditionBody,
  conditionQuestion,
  type PlacedCircuit,
  readCondition,
  wholeCircuits,
  type WholeHealth,
  wholeHealth,
} from "./conditions.ts";
export { type CountedWhole, wholeOf, type WorkerFigures } from "./whole.ts";
