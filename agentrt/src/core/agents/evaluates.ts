/** Static member of classes whose agents judge what others report with `emitEval`. */
export const evaluates: unique symbol = Symbol("agentrt.evaluates");
