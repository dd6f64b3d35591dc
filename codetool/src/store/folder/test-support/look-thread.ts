/** A thread of Node that looks at the tree it was started with. */
import { workerData } from "node:worker_threads";
import { type SharedTree, TreeLook } from "../tree-look.ts";

new TreeLook(workerData as SharedTree).work();
