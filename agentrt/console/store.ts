import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export class Store<Value> {
  #value: Value;
  readonly #watchers = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    for (const watcher of this.#watchers) watcher(value);
  }

  watch(watcher: (value: Value) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}

/** Draws a component again when the value changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    setValue(store.value);
    return store.watch(setValue);
  }, [store]);
  return value;
}
