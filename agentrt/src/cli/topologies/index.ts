/**
 * How commands read topologies: which files, what is put into them from the environment, and how what was read there
 * is kept out of what the command says.
 *
 * The folder must not know what a command does with a topology.
 */
export { readEnvironment } from "./environment.ts";
export { environmentFlags, topologyFlags, topologyPaths, topologyWords } from "./flags.ts";
export {
  type LoadedTopology,
  loadRunningTopology,
  loadTopology,
  readSentTopology,
  type ReadTopology,
  readTopology,
  type TopologySource,
} from "./read-topology.ts";
