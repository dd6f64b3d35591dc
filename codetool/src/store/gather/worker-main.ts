/** The entry file of an index thread, except in the one-file executable. */
import { serveGathering } from "./worker.ts";

serveGathering();
