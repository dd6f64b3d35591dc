/** What is asked again and again, and how often. */
export interface Asked {
  readonly path: string;
  /** The pause between an answer and the next question, milliseconds. */
  readonly everyMs: number;
}

/** Most characters of the names in a path: servers refuse longer ones than 16 kB. */
const namesLengthMax = 8000;

/** Asked by each page. */
export const healthAsked: Asked = { path: "/health", everyMs: 3000 };

/** Asked by the page of the tree. */
export const treeAsked: Asked = { path: "/topology", everyMs: 1500 };

/** @returns The path for the tree; where one is known already, nothing comes until something has happened. */
export function treeSince(known: { readonly revision?: string } | undefined): string {
  const { path } = treeAsked;
  const revision = known?.revision;
  return revision === undefined ? path : `${path}?since=${encodeURIComponent(revision)}`;
}

/**
 * Says what the page of the tree asks of what agents do: of those that are seen, and not of thousands.
 *
 * @param names Of agents, pools and keyed agents, in the order of the rows. Where more are given than fit in a path, those
 *   farthest from the middle are left out. In the path they are from the middle outwards.
 */
export function figuresAsked(names: readonly string[]): Asked {
  let list = "";
  for (const name of fromMiddle(names)) {
    const more = `${list === "" ? "" : ","}${encodeURIComponent(name)}`;
    if (list.length + more.length > namesLengthMax) break;
    list += more;
  }
  return { path: `/overview?agent=${list}`, everyMs: 5000 };
}

function fromMiddle(names: readonly string[]): string[] {
  const middle = (names.length - 1) / 2;
  return names
    .map((name, index) => ({ name, distance: Math.abs(index - middle) }))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ name }) => name);
}

/** Asked by the page of an agent, pool, keyed agent or key. */
export function agentAsked(name: string) {
  const encoded = encodeURIComponent(name);
  const base = `/agents/${encoded}`;
  return {
    detail: { path: base, everyMs: 1500 },
    /** Not of a key: it has no row. */
    overview: { path: `/overview?agent=${encoded}`, everyMs: 2000 },
    mailbox: { path: `${base}/mailbox?limit=50`, everyMs: 2000 },
    cost: { path: `/snapshot?agent=${encoded}`, everyMs: 3000 },
    state: { path: `${base}/state`, everyMs: 4000 },
    history: { path: `${base}/history`, everyMs: 3000 },
    logs: { path: `${base}/logs?limit=200`, everyMs: 2000 },
  } satisfies { readonly [what: string]: Asked };
}
