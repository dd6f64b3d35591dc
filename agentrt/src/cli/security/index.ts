/**
 * What `agentrt security init` looks at before it says what a topology needs.
 *
 * The folder must not write files.
 */
export { checkNatsTls } from "./check-nats-tls.ts";
