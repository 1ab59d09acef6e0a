/** A client that works while faults happen, and then compares what the server acknowledged with what it can read. */
export interface Client {
  /** One piece of work, to its end. */
  work(number: number): Promise<void>;
  /** What was seen, in words; throws when a promise was broken. */
  check(): Promise<string>;
  close?(): void;
}
