/**
 * Static member of classes whose agents serve other agents and not clients: evaluation, rate limiters. A gateway reaches
 * one only where its settings name it.
 */
export const infrastructure: unique symbol = Symbol("agentrt.infrastructure");
