import { type SharedTree, TreeLook } from "./tree-look.ts";

/** What this file uses of the runtime of a thread. */
interface ThreadScope {
  onmessage: (event: { readonly data: SharedTree }) => void;
}

/** Looks at the tree that is posted to this thread, which was started for that. Little else is loaded: that would take longer. */
export function serveLook(): void {
  (globalThis as unknown as ThreadScope).onmessage = ({ data }) => new TreeLook(data).work();
}
