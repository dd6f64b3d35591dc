/** A JSON value: what a payload, a state or a reply is made of. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

/** A JSON object with string keys. */
export type JsonObject = { [key: string]: JsonValue };

/** What the compiler shows in the place of a value that is not JSON. */
export type NotJson =
  "not JSON: only null, booleans, numbers, strings, arrays and plain objects can be sent and saved";

/**
 * The same type where its values are JSON, `NotJson` in the place of those that are not: functions, class instances such
 * as `Date` and `Map`, `bigint`, symbols. Interfaces count like type aliases, and members may be optional. What the
 * compiler does not know (`unknown`, `any`, `object`) is let through and checked when it is sent.
 */
export type Json<Value> = unknown extends Value
  ? Value
  : Value extends SurelyJson | undefined
    ? Value
    : Value extends bigint | symbol | ((...parameters: never) => unknown)
      ? NotJson
      : Value extends readonly unknown[]
        ? JsonItems<Value>
        : HasHiddenMembers<Value> extends true
          ? NotJson
          : Value extends { readonly [Symbol.iterator]: unknown } | Date
            ? NotJson
            : JsonMembers<Value>;

/** The same object type where its members are JSON; see `Json`. `State extends JsonMembers<State>` asks for that. */
export type JsonMembers<Value> = { [Key in keyof Value]: Json<Value[Key]> };

/** What is JSON without a look at each member; it also ends the walk through types that contain themselves. */
type SurelyJson =
  | null
  | boolean
  | number
  | string
  | readonly SurelyJson[]
  | { readonly [key: string]: SurelyJson | undefined };

/** An array may hold no `undefined`: JSON has no word for it, and would put null in its place. */
type JsonItems<Items extends readonly unknown[]> = {
  [Index in keyof Items]: unknown extends Items[Index]
    ? Items[Index]
    : undefined extends Items[Index]
      ? NotJson
      : Json<Items[Index]>;
};

/** Only instances of classes with private or protected members are more than their visible members. */
type HasHiddenMembers<Value> = { [Key in keyof Value]: Value[Key] } extends Value ? false : true;
