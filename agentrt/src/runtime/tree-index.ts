import {
  AgentCell,
  Supervisor,
  supervisionErrors,
  type ChildDriver,
  type ChildSpec,
  type Kernel,
  type SupervisorSpec,
} from "../core/index.ts";

/** The drivers of a tree, by name: what a description becomes. */
export class TreeIndex {
  readonly root: Supervisor;
  readonly #kernel: Kernel;
  readonly #cells = new Map<string, AgentCell>();
  readonly #parents = new Map<string, Supervisor>();

  /**
   * Builds the drivers and registers their names; nothing runs yet.
   *
   * @param kernel What all actors share.
   * @param spec The root.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when two nodes share a name.
   */
  constructor(kernel: Kernel, spec: SupervisorSpec) {
    this.#kernel = kernel;
    this.root = this.#buildSupervisor(spec, true);
  }

  /** The agents, in the order in which they were built. */
  get cells(): ReadonlyMap<string, AgentCell> {
    return this.#cells;
  }

  /**
   * Finds an agent.
   *
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_SUPERVISION_NOT_AN_AGENT.
   */
  cellOf(name: string): AgentCell {
    const cell = this.#cells.get(name);
    if (cell !== undefined) return cell;
    if (this.#kernel.registry.get(name) === undefined) {
      throw new supervisionErrors.UNKNOWN_NAME({ name });
    }
    throw new supervisionErrors.NOT_AN_AGENT({ name });
  }

  /**
   * Finds the supervisor of an agent or of a supervisor.
   *
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, for the root too.
   */
  parentOf(name: string): Supervisor {
    const parent = this.#parents.get(name);
    if (parent === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    return parent;
  }

  #buildSupervisor(spec: SupervisorSpec, isRoot: boolean): Supervisor {
    this.#kernel.registry.register({
      name: spec.name,
      kind: "supervisor",
      capabilities: ["_agency.supervisor"],
      capabilityMetadata: {},
      address: undefined,
    });
    const drivers = spec.children.map((childSpec) => this.#buildChild(childSpec));
    const built = new Supervisor(this.#kernel, spec, { drivers, isRoot });
    for (const driver of drivers) this.#parents.set(driver.name, built);
    return built;
  }

  #buildChild(spec: ChildSpec): ChildDriver {
    if (spec.kind === "supervisor") return this.#buildSupervisor(spec, false);
    const cell = new AgentCell(this.#kernel, spec);
    this.#cells.set(spec.name, cell);
    return cell;
  }
}
