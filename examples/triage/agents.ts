/**
 * What a support ticket needs: somebody who reads it, one who answers, one who watches the answers, and one who remembers.
 */
import {
  Agent,
  EvalAgent,
  type EvalEvent,
  isAgentrtError,
  type MessageOf,
  type MessagesFrom,
} from "agentrt";
import { z } from "zod";

declare module "agentrt" {
  interface AgentNames {
    reader: Reader;
    writer: Writer;
    ticket: Ticket;
  }
}

const handover = "A person will answer you.";

const text = z.string().trim().min(1).max(4000);
const team = z.enum(["billing", "shipping", "other"]);
const turn = z.object({ role: z.enum(["user", "assistant"]), content: z.string() });
type Turn = z.infer<typeof turn>;

const reading = { payload: z.object({ text }), reply: z.object({ team }) };
type Reading = MessagesFrom<typeof reading>;

/** Says which team a message is for. */
export class Reader extends Agent<object, Reading> {
  static override schemas = reading;

  override async handle({ payload }: MessageOf<Reading>) {
    const task = `Which team is this for? Answer with one word of: ${team.options.join(", ")}.`;
    const { content } = await this.llm.chat({
      messages: [
        { role: "system", content: task },
        { role: "user", content: payload.text },
      ],
    });
    return { team: team.options.find((each) => content.toLowerCase().includes(each)) ?? "other" };
  }
}

const writing = {
  payload: z.object({ team, turns: z.array(turn) }),
  chunk: z.object({ text: z.string() }),
};
type Writing = MessagesFrom<typeof writing>;

/** Writes answers, word by word, and reports each one. */
export class Writer extends Agent<object, Writing> {
  static override schemas = writing;

  override async *handle({ payload }: MessageOf<Writing>) {
    const system = `You answer for the team ${payload.team}. Be brief.`;
    const messages = [{ role: "system" as const, content: system }, ...payload.turns];
    try {
      for await (const chunk of this.llm.stream({ messages, maxTokens: 500 })) {
        if (chunk.type === "text") yield { text: chunk.text };
        if (chunk.type === "end") await this.emitEval("answer", { text: chunk.reply.content });
      }
    } catch (error) {
      if (!isAgentrtError(error) || error.code !== "AGENTRT_MODEL_BUDGET_EXCEEDED") throw error;
      yield { text: handover };
    }
  }
}

/** Stops the writer for good when an answer holds the number of a card: people take over then. */
export class Judge extends EvalAgent {
  override onEvalEvent({ payload }: EvalEvent) {
    const { text } = payload;
    if (typeof text !== "string" || !/\b(?:\d[ -]?){13,19}\b/.test(text)) return null;
    return { severity: "halt", reason: "an answer holds the number of a card" } as const;
  }
}

const conversation = {
  payload: z.object({ ticket: z.string(), text }),
  chunk: z.union([z.object({ team }), writing.chunk, z.object({ turns: z.number() })]),
};
type Conversation = MessagesFrom<typeof conversation>;

/** One ticket: a conversation that outlives crashes and restarts. */
export class Ticket extends Agent<{ turns: Turn[] }, Conversation> {
  static override schemas = conversation;
  override state = { turns: [] as Turn[] };

  override async *handle({ payload }: MessageOf<Conversation>) {
    const { team } = await this.call("reader", { text: payload.text });
    yield { team };
    const turns: Turn[] = [...this.state.turns, { role: "user", content: payload.text }];
    let answer = "";
    try {
      for await (const { text } of this.stream("writer", { team, turns })) {
        answer += text;
        yield { text };
      }
    } catch (error) {
      if (!isAgentrtError(error) || error.code !== "AGENTRT_AGENT_STOPPED") throw error;
      answer = handover;
      yield { text: handover };
    }
    this.state.turns = [...turns, { role: "assistant", content: answer }];
    // What is told next is saved: no crash takes it back.
    await this.checkpoint();
    yield { turns: this.state.turns.length };
  }
}
