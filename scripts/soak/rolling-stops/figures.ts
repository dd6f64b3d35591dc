import type { ClientName, Seen } from "./client.ts";

/** What one client saw over all stops of one kind. */
export interface Figures {
  readonly client: ClientName;
  ok: number;
  resent: number;
  /** Not answered, and not shown to have been sent in time. */
  late: number;
  /** Not answered, and sent in time: what went wrong with each. */
  readonly lost: string[];
}

/** What every client saw, by its name. */
export class FigureTable {
  readonly #rows = new Map<string, Figures>();

  /**
   * Adds what a client saw.
   *
   * @param client Which.
   * @param seen What.
   * @param inTimeS Requests that were sent before this time must be answered, seconds since 1970; infinite for all.
   * @throws Error when it got no answer at all: nothing is shown by a client that does not work.
   */
  add(client: ClientName, { ok, resent, failures }: Seen, inTimeS: number): void {
    if (ok === 0)
      throw new Error(`${client.name}: no request was answered: ${failures[0]?.error ?? ""}`);
    const row = this.#rows.get(client.name) ?? { client, ok: 0, resent: 0, late: 0, lost: [] };
    this.#rows.set(client.name, row);
    row.ok += ok;
    row.resent += resent;
    for (const { sentS, error } of failures) {
      if (sentS < inTimeS || inTimeS === Number.POSITIVE_INFINITY) row.lost.push(error);
      else if (!refusedConnection.test(error)) row.late += 1;
    }
  }

  get okCount(): number {
    return this.#sum(({ ok }) => ok);
  }

  get lostCount(): number {
    return this.#sum(({ lost }) => lost.length);
  }

  /** A line for each client. */
  get lines(): string[] {
    return [...this.#rows.values()].map(({ client, ok, resent, late, lost }) => {
      return `  ${client.name.padEnd(nameWidth)} ${client.protocol.padEnd(protocolWidth)} ${ok} answered, ${resent} of them sent again; ${late} late; ${lost.length} lost${summaryOf(lost)}`;
    });
  }

  #sum(count: (figures: Figures) => number): number {
    return [...this.#rows.values()].reduce((sum, figures) => sum + count(figures), 0);
  }
}

/** The first few kinds of what went wrong. */
function summaryOf(lost: readonly string[]): string {
  if (lost.length === 0) return "";
  const kinds = new Set(lost.map((error) => error.replaceAll(/\s+/g, " ")));
  return `: ${[...kinds].slice(0, kindCountMax).join("; ")}`;
}

const kindCountMax = 3;
/** A connection that was refused took no request; who asks while nobody is there asks often. */
const refusedConnection = /connection refused/i;
const nameWidth = 21;
const protocolWidth = 9;
