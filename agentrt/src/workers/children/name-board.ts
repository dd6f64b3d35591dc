import type { RuntimeEvent, SupervisorNode, TreeNode } from "../../core/index.ts";
import { type ControlChannel, linkErrors } from "../../links/index.ts";
import { workerTopic, workersTopic } from "../protocol.ts";
import { childTypes, type NamedChild, type NamesNews, newsPayload } from "./child-protocol.ts";

/** Most names of one message: with the longest names it stays below a megabyte. */
const partLengthMax = 1000;

/** What it is made from. */
interface NameBoardInit {
  readonly channel: ControlChannel;
  /** Id of this process. */
  readonly board: string;
  /** The process group of a child; undefined for this process. */
  readonly processOf: (child: string) => string | undefined;
  /** False while no worker is there, and nobody has to hear of anything. */
  readonly isHeard: () => boolean;
}

/** The names of the children that were spawned, as workers hear of them: the supervisor's process knows all of them. */
export class NameBoard {
  readonly #init: NameBoardInit;
  /** By name: the process group. */
  readonly #children = new Map<string, string>();
  #version = 0;

  constructor(init: NameBoardInit) {
    this.#init = init;
  }

  /** Number of the latest change. */
  get version(): number {
    return this.#version;
  }

  /** Takes the children that a tree has already, and those that come and go from now on. */
  watch(runtime: {
    tree(): SupervisorNode;
    onEvent(callback: (event: RuntimeEvent) => void): () => void;
  }): void {
    for (const name of dynamicNames(runtime.tree())) this.#come(name);
    runtime.onEvent((event) => {
      if (event.type === "dynamic.spawned") this.#come(event.child);
      else if (event.type === "dynamic.terminated" && this.#children.delete(event.child))
        this.#change([], [event.child]);
    });
  }

  /** Tells a worker of all of them. */
  tellAll(processId: string): void {
    const all = [...this.#children];
    for (let at = 0; at === 0 || at < all.length; at += partLengthMax) {
      const isLast = at + partLengthMax >= all.length;
      const part = at === 0 ? (isLast ? "whole" : "first") : isLast ? "last" : "middle";
      const come = all.slice(at, at + partLengthMax);
      this.#tell(workerTopic(processId), { part, come, gone: [] });
    }
  }

  #come(name: string): void {
    const process = this.#init.processOf(name) ?? "";
    this.#children.set(name, process);
    this.#change([[name, process]], []);
  }

  #change(come: readonly NamedChild[], gone: readonly string[]): void {
    this.#version += 1;
    if (this.#init.isHeard()) this.#tell(workersTopic, { part: "change", come, gone });
  }

  #tell(topic: string, news: Pick<NamesNews, "part" | "come" | "gone">): void {
    const { channel, board } = this.#init;
    const payload = newsPayload({ ...news, board, version: this.#version });
    try {
      channel.tell(topic, { type: childTypes.names, payload });
    } catch (error) {
      // Where the link is down, workers register again once it is back, and hear of all.
      if (!(error instanceof linkErrors.DOWN)) throw error;
    }
  }
}

function dynamicNames(node: TreeNode): string[] {
  if (node.kind !== "supervisor") return [];
  return node.children.flatMap((each) =>
    node.dynamic === undefined ? dynamicNames(each) : [each.name],
  );
}
