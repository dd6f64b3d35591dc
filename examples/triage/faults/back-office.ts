/** What works behind the tickets: each of these agents has a weakness, as real ones do. Copied into the folder of the hour. */
import { setTimeout } from "node:timers/promises";
import { Agent, type Approval, isAgentrtError, type Message } from "agentrt";

/** Looks up addresses in a table that it read at its start; without the table it asks a slow directory each time. */
export class Lookup extends Agent {
  #table: ReadonlySet<string> | undefined = new Set(["Main Street"]);

  override async handle({ payload }: Message) {
    if (payload["forget"] === true) this.#table = undefined;
    if (this.#table === undefined) await setTimeout(8000);
    return { known: this.#table?.has(textOf(payload["street"])) ?? true };
  }
}

/** Keeps answers; each takes a while to be written. */
export class Archive extends Agent {
  override async handle() {
    await setTimeout(400);
    return {};
  }
}

/** Sends mails by the server of its settings. */
export class Mailer extends Agent {
  override async handle() {
    const server = textOf(this.config["server"]);
    if (!server.startsWith("smtp://"))
      throw new TypeError(`config.server must begin with smtp://, found ${JSON.stringify(server)}`);
    return {};
  }
}

/** Pays refunds; what is more than 500 a person has to approve. */
export class Refunds extends Agent {
  override async handle({ payload }: Message) {
    const amount = Number(payload["amount"]);
    if (amount <= 500) return { paid: amount };
    const expiresMs = 24 * 60 * 60 * 1000;
    await this.suspendForApproval({ kind: "refund", payload: { amount }, expiresMs });
    return {};
  }

  override async onApproval(approval: Approval) {
    this.log.info("paid", { amount: approval.granted()["amount"] ?? null });
  }
}

/** Sums a day up with the model, until the summary pleases. */
export class Digest extends Agent {
  override async handle({ payload }: Message) {
    const text = textOf(payload["text"]);
    try {
      const { content } = await this.llm.chat({ messages: [{ role: "user", content: text }] });
      await setTimeout(100);
      const isGood = payload["until"] !== "perfect";
      if (!isGood)
        await this.cast("digest", { until: "perfect", text: `${text} ${content}`.slice(-2000) });
    } catch (error) {
      if (!isAgentrtError(error) || error.code !== "AGENTRT_MODEL_BUDGET_EXCEEDED") throw error;
    }
    return {};
  }
}

/** Compares a ticket with all those before it, in one go. */
export class Fraud extends Agent {
  override async handle({ payload }: Message) {
    const until = performance.now() + Number(payload["tickets"]) * 3;
    let sum = 0;
    while (performance.now() < until) sum += Math.sqrt(sum + 1);
    return { suspicious: sum < 0 };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
