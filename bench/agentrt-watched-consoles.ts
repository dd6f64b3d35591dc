/** What do the requests of 100 consoles at once to a process of 10 000 agents cost their calls? */
import type { Bench } from "./bench.ts";
import { consoles, watchedBy } from "./rivals/watched.ts";

/** See the header. */
export const bench: Bench = {
  question: "calls a second among 10 000 agents with 100 consoles that look at them, and without",
  operation: "call",
  contenders: [watchedBy("100 consoles", consoles(100)), watchedBy("none")],
};
