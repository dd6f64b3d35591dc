/**
 * How `agentrt deploy` reads what is deployed, and writes its files to the disk, all or none.
 *
 * The folder must not know what the files hold: `deploy/` makes them.
 */
export { readDeployment } from "./read-deployment.ts";
export { writeDeployment } from "./write-deployment.ts";
