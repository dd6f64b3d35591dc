import { Agent, type Message } from "agentrt";

/** Hands each item on to the next stage, and counts what it has seen since it started. */
export class Stage extends Agent {
  #seenCount = 0;

  override async handle(message: Message) {
    this.#seenCount += 1;
    const next = this.config["next"];
    if (typeof next === "string") await this.cast(next, { ...message.payload });
    return { seen: this.#seenCount };
  }
}

/** Puts items into the pipeline, and looks up the settings first. */
export class Source extends Agent {
  override async handle(message: Message) {
    await this.call("settings", {}, { timeoutMs: 1000 });
    await this.send("parse", { item: message.id });
    await this.send("parse", { item: `${message.id}-again` });
    return { accepted: 2 };
  }
}
