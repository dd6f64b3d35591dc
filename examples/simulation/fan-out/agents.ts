import { Agent, type Message } from "agentrt";

/** Has an opinion, and tells the notes about it. */
export class Expert extends Agent {
  override async handle(message: Message) {
    await this.cast("notes", { expert: this.name });
    return { opinion: `${this.name} on ${message.type}` };
  }
}

/** Asks all experts at once, and adds up what came back in time. */
export class Asker extends Agent {
  override async handle() {
    const experts = [1, 2, 3, 4].map((number) => `expert-${number}`);
    const asked = experts.map(async (expert) => await this.call(expert, {}, { timeoutMs: 1500 }));
    const heard = await Promise.allSettled(asked);
    const opinions = heard.filter(({ status }) => status === "fulfilled").length;
    await this.broadcast("expert-*", { opinions });
    return { opinions };
  }
}

/** Counts who has said something; saves every tenth count. */
export class Notes extends Agent {
  override async handle(message: Message) {
    const count = Number(this.state["count"] ?? 0) + 1;
    this.state["count"] = count;
    if (count % 10 === 0) await this.checkpoint();
    return { count, latest: message.payload["expert"] ?? null };
  }
}
