export interface LruCacheOptions<V> {
  /** The largest total weight of all entries. */
  max: number;
  /** The weight of an entry; 1 unless given, so that `max` is the number of entries. */
  weigh?: (value: V) => number;
}

/** A map of bounded size: when it is full, the entry that was used longest ago is removed. */
export class LruCache<K, V extends NonNullable<unknown>> {
  /** From the least to the most recently used entry: a Map keeps the order of insertion. */
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;
  /**
   * Goes on where it was when entries were removed last: those before it are gone or have moved to the end. A new iterator
   * would pass all places that removed entries leave behind until the Map is rehashed.
   */
  #oldest = this.#entries.keys();

  constructor({ max, weigh = () => 1 }: LruCacheOptions<V>) {
    this.#max = max;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  keys(): MapIterator<K> {
    return this.#entries.keys();
  }

  /** Does not count as a use. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** A value that weighs more than `max` by itself is not kept. */
  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    while (this.#weight > this.#max) {
      const { done, value: oldest } = this.#oldest.next();
      if (done) this.#oldest = this.#entries.keys();
      else this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#weight -= this.#weigh(value);
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = this.#entries.keys();
    this.#weight = 0;
  }
}
