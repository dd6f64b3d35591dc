/** `node kept-consumer.ts <url> <stream>`: takes the messages of a stream and acknowledges each, and prints `ready`. */
import process from "node:process";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const [servers = "", stream = ""] = process.argv.slice(2);
const consumer = await jetstream(await connect({ servers })).consumers.get(stream, "back");
const messages = await consumer.consume({ max_messages: 256 });
process.stdout.write("ready\n");
for await (const message of messages) {
  JSON.parse(Buffer.from(message.data).toString());
  message.ack();
}
