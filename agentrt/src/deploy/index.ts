/**
 * What runs a topology on other machines, as values: path and content of each file.
 *
 *     Topology → deploymentOf → Deployment → composeFiles | kubernetesFiles | systemdFiles
 *
 * The model says which processes there are, whom each of them runs, which ports are open, which variables they need and what of
 * the topology is different where they run. Each renderer writes the same model down in the form of one system.
 *
 * The folder must not know the disk, the command line, or what user code holds.
 */
export { composeFiles } from "./compose.ts";
export {
  type Deployment,
  type DeploymentInit,
  deploymentOf,
  type DeploymentProject,
  usesJetStream,
} from "./deployment.ts";
export { kubernetesFiles } from "./kubernetes.ts";
export { systemdFiles, type SystemdPlaces } from "./systemd.ts";
export type { DeployedFile } from "./deployed-file.ts";
export { serviceName } from "./service-names.ts";
