import { resolve } from "node:path";
import { printable } from "../../core/index.ts";
import {
  migrateStates,
  openStates,
  type RawStates,
  readStateAddress,
  type StateAddress,
  stateErrors,
  type StateRow,
} from "../../state/index.ts";
import type { CommandIo } from "../command.ts";
import { safeJson } from "../safe-json.ts";
import { shownState, stateCount, stateText } from "./state-text.ts";

/** What `agentrt state migrate` was called with. */
export interface MigrationRequest {
  /** Addresses as they were written. */
  readonly source: string;
  readonly destination: string;
  /** Copies; without it nothing is written. */
  readonly isExecuted: boolean;
  readonly isJson: boolean;
}

/** One state on its way. */
interface Moved {
  readonly agent: string;
  readonly isEncrypted: boolean;
  /** Whether the destination holds another state of that agent. */
  readonly isOverwriting: boolean;
  /** The beginning of its JSON. */
  readonly preview: string;
}

const previewLengthMax = 80;
const progressCount = 1000;

/**
 * Shows or makes a migration.
 *
 * @param request What was asked for.
 * @param io Takes the list, and on stderr the progress of a long copy.
 * @throws AGENTRT_STATE_*; then nothing was copied.
 */
export async function runMigration(request: MigrationRequest, io: CommandIo): Promise<void> {
  const from = readStateAddress(request.source, { argument: "<src>" });
  const to = readStateAddress(request.destination, { argument: "<dst>" });
  refuseSame(from, to);
  const source = openStates(from, { access: "look" });
  if (source === undefined)
    throw new stateErrors.OPEN_FAILED({ path: pathOf(from), reason: "there is no such file" });
  try {
    const destination = openStates(to, { access: request.isExecuted ? "write" : "look" });
    try {
      const known = new Set(await destination?.listAgents());
      const moved =
        request.isExecuted && destination !== undefined
          ? await copy({ source, destination, known, io })
          : await preview(source, known);
      const places = { source: source.label, destination: destination?.label ?? pathOf(to) };
      print({ ...request, ...places, moved }, io);
    } finally {
      await destination?.close();
    }
  } finally {
    await source.close();
  }
}

/** A database or a bucket needs no path here: it always opens, or says itself why not. */
function pathOf(address: StateAddress): string {
  return address.kind === "sqlite" ? resolve(address.path) : "";
}

/** Two names of one file are found when it is opened. */
function refuseSame(from: StateAddress, to: StateAddress): void {
  if (from.kind === "sqlite" && to.kind === "sqlite" && pathOf(from) === pathOf(to))
    throw new stateErrors.SAME_STORE({ path: pathOf(from) });
}

async function preview(source: RawStates, known: ReadonlySet<string>): Promise<Moved[]> {
  const moved: Moved[] = [];
  for await (const row of source.rows()) moved.push(movedOf(row, known));
  return moved;
}

/** Names are printed when all is done: a copy that fails half way has copied nothing. */
async function copy(options: {
  readonly source: RawStates;
  readonly destination: RawStates;
  readonly known: ReadonlySet<string>;
  readonly io: CommandIo;
}): Promise<Moved[]> {
  const { source, destination, known, io } = options;
  const totalCount = (await source.listAgents()).length;
  const moved: Moved[] = [];
  await migrateStates({
    source,
    target: destination,
    onCopied: (row, count) => {
      moved.push(movedOf(row, known));
      if (count % progressCount === 0) io.tell(`${count} of ${totalCount} states`);
    },
  });
  return moved;
}

function movedOf(row: StateRow, known: ReadonlySet<string>): Moved {
  const state = shownState(row.text);
  // Cut twice: a state may be large, and a character must not be cut in half.
  const characters = Array.from(stateText(state).slice(0, 2 * previewLengthMax));
  const isCut = characters.length > previewLengthMax;
  return {
    agent: row.agent,
    isEncrypted: state === "<encrypted>",
    isOverwriting: known.has(row.agent),
    preview: `${characters.slice(0, previewLengthMax).join("")}${isCut ? "…" : ""}`,
  };
}

function print(
  migration: MigrationRequest & { readonly moved: readonly Moved[] },
  io: CommandIo,
): void {
  const { source, destination, isExecuted } = migration;
  const moved = migration.moved.toSorted((a, b) => (a.agent < b.agent ? -1 : 1));
  if (migration.isJson) {
    const agents = moved.map((each) => ({
      agent: each.agent,
      encrypted: each.isEncrypted,
      overwrites: each.isOverwriting,
    }));
    const document = { source, destination, dry_run: !isExecuted, count: moved.length, agents };
    io.print(`${safeJson(document, { indent: 2 })}\n`);
    return;
  }
  for (const each of moved) {
    const mark = each.isOverwriting ? "  (overwrites)" : "";
    const line = isExecuted ? `copied ${each.agent}` : `${each.agent}  ${each.preview}`;
    io.print(`${printable(`${line}${mark}`)}\n`);
  }
  const way = `from "${source}" to "${destination}"`;
  const end = isExecuted
    ? `${stateCount(moved.length)} copied ${way}`
    : `${stateCount(moved.length)} would be copied ${way}; nothing was written, --execute copies`;
  io.print(`${printable(end)}\n`);
}
