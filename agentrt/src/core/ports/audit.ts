import type { JsonObject } from "../values/index.ts";
import type { Log } from "./log.ts";
import type { StateStore } from "./state-store.ts";
import type { System } from "./system.ts";

/** What somebody did, or was refused. */
export interface AuditEvent {
  /** Such as `agent.suspend`. */
  readonly event: string;
  /** Whom it is about; null for none. */
  readonly agent: string | null;
  /** Who and what for, never what is secret. */
  readonly details: JsonObject;
}

/** Somebody was refused: who could not say who it is, who may not, who came too often. */
export interface AuditRefusal {
  /** Name of the gateway. */
  readonly gateway: string;
  /** What refused: the name of a middleware, or `scope`. */
  readonly by: string;
  /** Of the response. */
  readonly status: number;
  /** Address of the client. */
  readonly client: string;
  /** Who it is, where something has found that out. */
  readonly principal?: string | undefined;
  readonly details?: JsonObject | undefined;
}

/** How the audit log fares: a picture of one moment. */
export interface AuditReport {
  /** `jsonl`, `syslog` or `otlp`. */
  readonly sink: string;
  /** Records that were written. */
  readonly writtenCount: number;
  /** Records that wait. */
  readonly waitingCount: number;
  /** Records that were lost since the start. */
  readonly lostCount: number;
  /** Why nothing can be written at the moment, in words that everybody may see; undefined when it can. */
  readonly outage: string | undefined;
}

/** Keeps what operators did. It never fails: what it cannot write, it reports. */
export interface AuditLog {
  /** Opens it, when the runtime starts. */
  open(home: {
    readonly store: StateStore;
    readonly system: System;
    readonly log: Log;
    /** Called with each record as it comes. */
    readonly onRecord?: ((event: AuditEvent) => void) | undefined;
  }): Promise<void>;
  /** @returns Settles when it is written, or was tried without success; after a second in any case. Never rejects. */
  record(event: AuditEvent): Promise<void>;
  /** Takes note of a refusal; those of a kind are recorded together. */
  refuse(refusal: AuditRefusal): void;
  /** Opens its file again, after a rotation has moved it away. */
  reopen(): void;
  report(): AuditReport;
  /** Writes what waits, in bounded time, and closes it. Never rejects. */
  close(): Promise<void>;
}
