import type { Json, JsonMembers, JsonObject } from "../values/index.ts";
import type { Message } from "./message.ts";
import type { OutgoingPayload } from "./send-options.ts";

/**
 * One kind of message: what is sent, what is answered, and the chunks of a streamed answer. An agent declares one shape
 * for all of its messages, or a map from message types to shapes; `payload`, `sent`, `reply` and `chunk` are therefore no
 * message types in such a map.
 *
 * @example
 * type Greeting = { payload: { name: string }; reply: { greeting: string } };
 * type Counting = { add: { payload: { by: number } }; total: { reply: { total: number } } };
 */
export interface MessageShape {
  readonly payload?: object;
  /** What may be sent, where a schema makes the payload of it. Default: the payload. */
  readonly sent?: object;
  /** Left out: nothing is answered. */
  readonly reply?: object;
  /** Left out: the answer is not a stream. */
  readonly chunk?: object;
}

/** Stands for the messages of an agent that says nothing about them. */
export interface UntypedMessages {
  readonly [untyped]: never;
}

declare const untyped: unique symbol;

/** Where an agent's type keeps what it says about its messages; there is nothing at run time. */
export declare const messagesOf: unique symbol;

type IsUntyped<Messages> = Messages extends UntypedMessages ? true : false;

/** True for the form with one shape for all messages. */
type IsSingle<Messages> = Messages extends
  | { readonly payload: unknown }
  | { readonly reply: unknown }
  | { readonly chunk: unknown }
  ? true
  : false;

/** The same type where it is one shape or a map of shapes, and all of its payloads, replies and chunks are JSON. */
export type CheckedMessages<Messages> = {
  [Key in keyof Messages]: Key extends symbol
    ? Messages[Key]
    : IsSingle<Messages> extends true
      ? CheckedPart<Key, Messages[Key]>
      : CheckedShape<Messages[Key]>;
};

type CheckedShape<Shape> = { [Key in keyof Shape]: CheckedPart<Key, Shape[Key]> };

type CheckedPart<Key, Part> = Key extends keyof MessageShape
  ? Json<Part>
  : "a shape has the parts payload, sent, reply and chunk";

/** What is known of one part of a shape; `Otherwise` where the shape leaves it out. */
type PartOf<
  Shape,
  Part extends keyof MessageShape,
  Otherwise extends object | void,
> = Shape extends {
  readonly [Key in Part]: infer Found extends object;
}
  ? Found
  : Otherwise;

/** The shape of the messages of one type; of all together when the type is not a literal. */
type ShapeOf<Messages, Type> =
  IsSingle<Messages> extends true ? Messages : Type extends keyof Messages ? Messages[Type] : never;

/** The message types that an agent declares; any text for the form with one shape. */
export type TypesOf<Messages> =
  IsUntyped<Messages> extends true
    ? string
    : IsSingle<Messages> extends true
      ? string
      : keyof Messages & string;

/** What `handle` gets: for several shapes a union that `message.type` tells apart. */
export type MessageOf<Messages> =
  IsUntyped<Messages> extends true
    ? Message
    : IsSingle<Messages> extends true
      ? MessageOfShape<string, Messages>
      : { [Type in keyof Messages & string]: MessageOfShape<Type, Messages[Type]> }[keyof Messages &
          string];

type MessageOfShape<Type extends string, Shape> = Message<
  Type,
  PartOf<Shape, "payload", JsonObject>,
  PartOf<Shape, "reply", object>
>;

/** The shapes that answer something, by message type, or the others: GenServer has a handler for each kind. */
type Answering<Messages, IsWanted extends boolean> = {
  [
    Type in keyof Messages as AnswersOf<Messages[Type]> extends IsWanted ? Type : never
  ]: Messages[Type];
};

type AnswersOf<Shape> = Shape extends { readonly reply: unknown } | { readonly chunk: unknown }
  ? true
  : false;

/** What `handleCall` gets: the messages that declare a reply or chunks. */
export type CallOf<Messages> =
  IsUntyped<Messages> extends true
    ? MessageOf<Messages>
    : IsSingle<Messages> extends true
      ? MessageOf<Messages>
      : MessageOf<Answering<Messages, true>>;

/** What `handleCast` gets: the messages that declare no answer. */
export type CastOf<Messages> =
  IsUntyped<Messages> extends true
    ? MessageOf<Messages>
    : IsSingle<Messages> extends true
      ? MessageOf<Messages>
      : MessageOf<Answering<Messages, false>>;

/** All shapes of an agent as a union. */
type EachShape<Messages> =
  IsSingle<Messages> extends true ? Messages : Messages[keyof Messages & string];

/** What a handler may return: the reply payload, nothing, or the chunks of a stream as a generator or async iterable. */
export type HandleResult = OutgoingPayload | undefined | void;

/** What `handle` may return: a declared reply, declared chunks, or nothing where no answer is declared or it comes later. */
export type ResultOf<Messages> =
  IsUntyped<Messages> extends true ? HandleResult : ResultOfShape<EachShape<Messages>> | undefined;

type ResultOfShape<Shape> = Shape extends unknown
  ?
      | PartOf<Shape, "reply", AnswersOf<Shape> extends true ? never : void>
      | (Shape extends { readonly chunk: infer Chunk }
          ? AsyncIterable<Chunk> | Iterator<Chunk, unknown>
          : never)
  : never;

/** What `emit` may send: a declared chunk, or any JSON where nothing is declared. */
export type EmittedOf<Messages, Chunk> =
  IsUntyped<Messages> extends true
    ? Chunk & JsonMembers<Chunk>
    : PartOf<EachShape<Messages>, "chunk", never>;

/** What may be sent as a message of one type: the declared payload, or any JSON where none is declared. */
export type PayloadFor<Messages, Type, Payload> =
  IsUntyped<Messages> extends true
    ? Payload & JsonMembers<Payload>
    : Type extends TypesOf<Messages>
      ? SentOf<ShapeOf<Messages, Type>>
      : `options.type has to be one of: ${TypesOf<Messages>}`;

type SentOf<Shape> = PartOf<Shape, "sent", PartOf<Shape, "payload", JsonObject>>;

/** What comes back from a call of one type. */
export type ReplyFor<Messages, Type> =
  IsUntyped<Messages> extends true
    ? JsonObject
    : PartOf<ShapeOf<Messages, Type>, "reply", JsonObject>;

/** What comes back, one by one, from a stream of one type: its chunks, and a reply as the last one. */
export type ChunkFor<Messages, Type> =
  IsUntyped<Messages> extends true ? JsonObject : AnswerOf<ShapeOf<Messages, Type>>;

type AnswerOf<Shape> =
  | PartOf<Shape, "chunk", never>
  | PartOf<Shape, "reply", AnswersOf<Shape> extends true ? never : JsonObject>;
