import { type Registration, Registry } from "../../core/index.ts";

/**
 * The names of the nodes of which this process has a part. Nobody finds them by the registry of the process: there the name
 * of such a node leads to the process that says where its messages go. All else is looked up there.
 */
export class HiddenRegistry extends Registry {
  readonly #main: Registry;
  readonly #onRegistered: (registration: Registration) => void;

  /**
   * @param main That of the process.
   * @param onRegistered Called with each name that is hidden.
   */
  constructor(main: Registry, onRegistered: (registration: Registration) => void) {
    super();
    this.#main = main;
    this.#onRegistered = onRegistered;
  }

  override register(registration: Registration): void {
    this.#onRegistered(registration);
  }

  override deregister(): void {
    // A node of a worker keeps its name as long as the worker runs.
  }

  override get(name: string): Registration | undefined {
    return this.#main.get(name);
  }

  override get evalAgent(): Registration | undefined {
    return this.#main.evalAgent;
  }
}
