/** A place in the lines of one process. */
export interface Cursor {
  /** Tells that run from others. */
  readonly epoch: string;
  /** Of the last item before it. */
  readonly number: number;
}

/** Most processes that an id names, and its characters. */
const [cursorCountMax, lengthMax] = [1000, 65_536];

/**
 * Writes places as an id of a stream: `mf3k2l1a-17,back=mf3k2l1b-4`, this process without a name.
 *
 * @param places Those that are known of the processes.
 */
export function cursorsText(
  places: readonly { readonly process: string; readonly cursor: Cursor | undefined }[],
): string {
  return places
    .flatMap(({ process, cursor }) => {
      if (cursor === undefined) return [];
      const name = process === "" ? "" : `${encodeURIComponent(process)}=`;
      return [`${name}${cursor.epoch}-${cursor.number}`];
    })
    .join(",");
}

/** Reads it: places by process, none of an empty text; undefined for any text that was not written so. */
export function readCursors(text: string): ReadonlyMap<string, Cursor> | undefined {
  const cursors = new Map<string, Cursor>();
  if (text === "") return cursors;
  if (text.length > lengthMax) return undefined;
  const parts = text.split(",");
  if (parts.length > cursorCountMax) return undefined;
  for (const part of parts) {
    const [, name = "", epoch = "", number = ""] =
      /^(?:([\w%.!~*'()-]*)=)?([\da-z]+)-(\d{1,15})$/.exec(part) ?? [];
    const process = decoded(name);
    if (epoch === "" || process === undefined) return undefined;
    cursors.set(process, { epoch, number: Number(number) });
  }
  return cursors;
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
