import type { Log } from "../../core/index.ts";
import type { Topology } from "../../topology/index.ts";

/** What the control plane of a supervisor that waits is made from. */
export interface WaitingPlaneInit {
  readonly topology: Topology;
  /** Where that is. */
  readonly path: string;
  readonly log: Log;
  readonly natsServers?: readonly string[] | undefined;
}

/** The control plane of a supervisor that waits: it is there while another one leads, and reads are answered by that. */
export class WaitingPlane {
  readonly #init: WaitingPlaneInit;
  /** Ends what listens now. */
  #opened: Promise<(() => Promise<void>) | undefined> = Promise.resolve(undefined);
  #isOver = false;

  constructor(init: WaitingPlaneInit) {
    this.#init = init;
  }

  /** Another supervisor leads. */
  follow(leader: { readonly host: string; readonly pid: number }): void {
    const text = `${leader.host} (pid ${leader.pid})`;
    this.#opened = this.#opened.then(async (close) => {
      await close?.();
      return this.#isOver ? undefined : await this.#open(text);
    });
  }

  /** This supervisor waits no more: its ports are free. */
  async end(): Promise<void> {
    this.#isOver = true;
    const close = await this.#opened;
    await close?.();
  }

  async #open(leader: string): Promise<(() => Promise<void>) | undefined> {
    const { topology, path, log, natsServers } = this.#init;
    try {
      const { openStandby } = await import("../../composition/index.ts");
      const close = await openStandby(topology, { path, log, natsServers, leader });
      if (close !== undefined)
        log.info("the control plane answers reads while this supervisor waits", { leader });
      return close;
    } catch (error) {
      // Such as one on the machine of the leader, which has the port.
      log.warn("the control plane does not answer while this supervisor waits", { error });
      return undefined;
    }
  }
}
