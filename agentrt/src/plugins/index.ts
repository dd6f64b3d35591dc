/**
 * Plugins: from a `type:` text to the class it names; and, in `models/`, the model providers that come with agentrt.
 *
 * In: a text of a topology, the project's folder, a map of short names. Out: a class, or one error that says what was
 * looked for where, and what comes nearest. The way goes
 *
 *     class-target.ts   only the text: a file of the project, a package, or a short name
 *     containment.ts    the file on disk, every link followed, and still inside the project or the package
 *     load-hooks.ts     TypeScript below the project is run as it is; `agentrt` leads to the running copy
 *     type-loader.ts    import, the export by its name, and that it is a class
 *
 * Nothing here decides what a class must extend: the caller does. Node's own modules, URLs and absolute paths are
 * never loaded. The hooks are the one thing of this folder that the whole process sees, so they are installed by
 * `createTypeLoader` and taken away by `uninstall`, never by importing this folder.
 *
 * A model provider makes one attempt a request, through its vendor's package, and turns what comes or fails into the
 * kernel's terms; retries, deadlines and counting are the kernel's. Its key is read from the environment, and shows up
 * in no error: what a vendor's package throws is dropped.
 *
 * The folder must not know topologies, nodes or the runtime.
 */
export { pluginErrors } from "./errors.ts";
export { AnthropicModel, isServerUrl, modelTimeoutMsMax, OpenAiModel } from "./models/index.ts";
export type { ModelPrices, VendorModelOptions } from "./models/index.ts";
export { findRunningCopy, type RunningCopy } from "./running-copy.ts";
export {
  createTypeLoader,
  type EntrypointGroup,
  type TypeLoader,
  type TypeLoaderOptions,
} from "./type-loader.ts";
