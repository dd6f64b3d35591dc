/**
 * What `agentrt init` writes, as values: path and content of each file.
 *
 * In: a project's name and the version of the runtime. Out: the files, or an error about the name. The command line
 * puts them on disk, all or none. A test parses the topology and another runs the project.
 *
 * The folder must not know the disk, the command line, or how a project is run.
 */
export { scaffoldErrors } from "./errors.ts";
export { type ProjectFile, agentName, projectFiles } from "./project-files.ts";
