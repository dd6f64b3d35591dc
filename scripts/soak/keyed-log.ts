import assert from "node:assert/strict";

/** What is known of all keys, over kills. */
export interface KeyedHistory {
  /** Highest count that must be there, by key: its checkpoint was acknowledged, or an object began with it. */
  readonly least: Map<string, number>;
  /** Highest count that was tried. */
  readonly most: Map<string, number>;
  residentCountMax: number;
  startCount: number;
  ackCount: number;
}

/** What a key does in one run. */
interface LiveKey {
  isThere: boolean;
  isBusy: boolean;
  /** Count of the object before, when it ended in this run. */
  endedAt: number | undefined;
  /** The last sequence number by lane. */
  readonly sequences: Map<string, number>;
}

interface Reading {
  readonly told: KeyedHistory;
  readonly round: number;
  readonly residentCountMax: number;
}

/**
 * Takes in what the keys of one run wrote until it was killed, and looks whether it can be:
 * `S`, `B`, `T`, `A`, `E` and `X` with a key and its count: an object starts, begins a message (with its lane and sequence),
 * tries a count, has it saved, has handled it, ends.
 *
 * @throws AssertionError that names the line.
 */
export function readKeyedLog(text: string, reading: Reading): void {
  const keys = new Map<string, LiveKey>();
  const lines = text.split("\n");
  // The last may be cut.
  lines.pop();
  let residentCount = 0;
  lines.forEach((line, index) => {
    const [kind = "", key = "", counted, lane = "", sequence] = line.split(" ");
    let live = keys.get(key);
    if (live === undefined) {
      live = { isThere: false, isBusy: false, endedAt: undefined, sequences: new Map() };
      keys.set(key, live);
    }
    const where = `round ${reading.round}, line ${index + 1}, ${line}`;
    readLine(kind, live, { ...reading, key, count: Number(counted), where });
    if (kind === "B") {
      const last = live.sequences.get(lane) ?? 0;
      assert.ok(Number(sequence) > last, `${where}: ${last} came before it`);
      live.sequences.set(lane, Number(sequence));
    }
    residentCount += kind === "S" ? 1 : kind === "X" ? -1 : 0;
    assert.ok(residentCount <= reading.residentCountMax, `${where}: ${residentCount} are resident`);
    reading.told.residentCountMax = Math.max(reading.told.residentCountMax, residentCount);
  });
}

function readLine(
  kind: string,
  live: LiveKey,
  { told, key, count, where }: Reading & { key: string; count: number; where: string },
): void {
  if (kind === "S") {
    assert.ok(!live.isThere, `${where}: its object is there already`);
    live.isThere = true;
    told.startCount += 1;
    const least = live.endedAt ?? told.least.get(key) ?? 0;
    const most = live.endedAt ?? told.most.get(key) ?? 0;
    assert.ok(count >= least && count <= most, `${where}: wanted ${least} to ${most}`);
    told.least.set(key, count);
    return;
  }
  assert.ok(live.isThere, `${where}: it has no object`);
  if (kind === "B") {
    assert.ok(!live.isBusy, `${where}: it is in the middle of another message`);
    live.isBusy = true;
  }
  if (kind === "T") told.most.set(key, Math.max(count, told.most.get(key) ?? 0));
  if (kind === "A") {
    told.least.set(key, count);
    told.ackCount += 1;
  }
  if (kind === "E") live.isBusy = false;
  if (kind === "X") {
    assert.ok(!live.isBusy, `${where}: it ends in the middle of a message`);
    live.isThere = false;
    live.endedAt = count;
  }
}
