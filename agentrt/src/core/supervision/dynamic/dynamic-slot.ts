import type { SpawnedDriver } from "../../tree/index.ts";
import type { Registration } from "../../messages/index.ts";
import type { RestartWindow } from "../restart-window.ts";
import type { Job, Lane, Slot } from "../supervisor-job.ts";
import type { PendingSpawn } from "./pending-spawn.ts";

/** A child that was spawned, as its supervisor sees it. It is its own lane: nothing of it waits for its siblings. */
export class DynamicSlot implements Slot, Lane {
  readonly driver: SpawnedDriver;
  readonly index = 0;
  readonly lane: Lane = this;
  job: Job | undefined = undefined;
  epoch = 0;
  storeFaultCount = 0;
  phase: Slot["phase"] = "down";
  readonly spawner: string;
  /** The spawner, which is notified of the child's end; not an agent that took its name later. None for the runtime. */
  readonly spawnerHome: Registration | undefined;
  readonly token: string | undefined;
  /** True when what it has saved stays when it is ended. */
  readonly isStateKept: boolean;
  /** True once it has run: then a start that fails is one more crash. */
  hasRun = false;
  /** Made with the first crash: most children have none. */
  window: RestartWindow | undefined = undefined;
  /** The spawns that wait for its first start. */
  pendings: PendingSpawn[] = [];

  constructor(init: {
    readonly driver: SpawnedDriver;
    readonly spawner: string;
    readonly spawnerHome: Registration | undefined;
    readonly token: string | undefined;
    readonly isStateKept: boolean;
  }) {
    this.driver = init.driver;
    this.spawner = init.spawner;
    this.spawnerHome = init.spawnerHome;
    this.token = init.token;
    this.isStateKept = init.isStateKept;
  }
}
