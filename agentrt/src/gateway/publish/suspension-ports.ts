/** What a gateway needs to know of agents that wait for a person. */
export interface SuspensionPorts {
  /** @returns Why each agent is suspended that is for an approval, by its name. */
  approvals(): ReadonlyMap<string, string>;
  /**
   * Tells of every agent that begins to wait for an approval, and that goes on.
   *
   * @param listener Gets the reason; `undefined` when the agent goes on.
   * @returns Ends it.
   */
  onChange(listener: (agent: string, reason: string | undefined) => void): () => void;
}
