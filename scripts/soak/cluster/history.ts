/**
 * Whether the history of counters is linear. Each operation adds its id to the end of its key's list, and answers how long the list
 * is then. What a key holds in the end is that list, so each acknowledged operation says at which place its id is.
 */

/** One operation on a key, as its client saw it. Times are milliseconds on one clock. */
export interface Operation {
  readonly id: string;
  readonly key: string;
  readonly beganMs: number;
  /** When the answer came; undefined where none is known. */
  readonly endedMs?: number | undefined;
  /** The answer; undefined where none came, or an error: then it may have been done, or not. */
  readonly value?: number | undefined;
  /** Code of the error; undefined for an answer. */
  readonly fault?: string | undefined;
}

/** What is wrong with the history of a key. */
export interface Violation {
  readonly key: string;
  readonly reason: string;
}

/** What becomes of a history that was checked. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** Operations with an answer. */
  readonly acknowledgedCount: number;
  /** Operations without an answer that were done all the same. */
  readonly doneUnansweredCount: number;
}

/** An operation with an answer. */
type Answered = Operation & { readonly endedMs: number; readonly value: number };

/**
 * Checks the history of all keys.
 *
 * @param operations In any order; each id once.
 * @param finals What each key holds in the end: the ids in their order. A key that is not there holds none.
 */
export function checkHistory(
  operations: readonly Operation[],
  finals: ReadonlyMap<string, readonly string[]>,
): Verdict {
  const byKey = Map.groupBy(operations, ({ key }) => key);
  const violations: Violation[] = [];
  let [acknowledgedCount, doneUnansweredCount] = [0, 0];
  for (const key of new Set([...byKey.keys(), ...finals.keys()])) {
    const own = byKey.get(key) ?? [];
    const final = finals.get(key) ?? [];
    const answered = own.filter(isAnswered);
    acknowledgedCount += answered.length;
    const answeredIds = new Set(answered.map(({ id }) => id));
    doneUnansweredCount += new Set(final.filter((id) => !answeredIds.has(id))).size;
    for (const reason of faultsOf(own, answered, final)) violations.push({ key, reason });
  }
  return { violations, acknowledgedCount, doneUnansweredCount };
}

/** Writes what happened to a key, in the order in which it began, and what it holds. */
export function historyText(
  key: string,
  operations: readonly Operation[],
  finals: ReadonlyMap<string, readonly string[]>,
): string {
  const lines = operations
    .filter((each) => each.key === key)
    .toSorted((one, other) => one.beganMs - other.beganMs)
    .map(({ id, beganMs, endedMs, value, fault }) => {
      const end = endedMs === undefined ? "" : endedMs.toFixed(0);
      return `  ${beganMs.toFixed(0)}..${end} ${id} -> ${value ?? fault ?? "no answer"}`;
    });
  return [`${key}:`, ...lines, `  holds ${(finals.get(key) ?? []).join(" ")}`].join("\n");
}

function isAnswered(operation: Operation): operation is Answered {
  return operation.value !== undefined && operation.endedMs !== undefined;
}

function faultsOf(
  own: readonly Operation[],
  answered: readonly Answered[],
  final: readonly string[],
): string[] {
  return [...placeFaults(own, answered, final), ...orderFaults(own, answered, final)];
}

/** Each acknowledged id is at the place that its answer names, once; nothing is there that nobody sent. */
function placeFaults(
  own: readonly Operation[],
  answered: readonly Answered[],
  final: readonly string[],
): string[] {
  const faults: string[] = [];
  const sent = new Set(own.map(({ id }) => id));
  const seen = new Set<string>();
  for (const id of final) {
    if (!sent.has(id)) faults.push(`${id} was never sent`);
    if (seen.has(id)) faults.push(`${id} was done twice`);
    seen.add(id);
  }
  const valueHolders = new Map<number, string>();
  for (const { id, value } of answered) {
    const other = valueHolders.get(value);
    if (other !== undefined) faults.push(`${other} and ${id} were both answered ${value}`);
    valueHolders.set(value, id);
    if (!seen.has(id)) faults.push(`${id} was acknowledged as number ${value}, and is lost`);
    else if (final[value - 1] !== id)
      faults.push(`${id} was acknowledged as number ${value}, where ${final[value - 1]} is`);
  }
  return faults;
}

/** What had an answer before another one began comes before it. */
function orderFaults(
  own: readonly Operation[],
  answered: readonly Answered[],
  final: readonly string[],
): string[] {
  const places = new Map(final.map((id, index) => [id, index + 1]));
  const faults: string[] = [];
  const ends = answered.toSorted((one, other) => one.endedMs - other.endedMs);
  let next = 0;
  let latest: Answered | undefined;
  for (const operation of own.toSorted((one, other) => one.beganMs - other.beganMs)) {
    for (let end = ends[next]; end !== undefined && end.endedMs < operation.beganMs;) {
      if (latest === undefined || end.value > latest.value) latest = end;
      next += 1;
      end = ends[next];
    }
    const place = operation.value ?? places.get(operation.id);
    if (place !== undefined && latest !== undefined && place <= latest.value)
      faults.push(
        `${operation.id} is number ${place}, and began after ${latest.id} was number ${latest.value}`,
      );
  }
  return faults;
}
