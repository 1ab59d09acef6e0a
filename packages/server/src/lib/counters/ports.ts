type Answer = number | Promise<number>;

/**
 * Counts what clients do, for limits that hold for all processes of a machine. Where there are several, one of them has
 * the counters and the others ask it.
 */
export interface Counters {
  /** Takes one of `limit` tokens, which are all there again after `refill_ms`. Answers how many there were; below 1: none. */
  takeToken(key: string, limit: number, refill_ms: number): Answer;
  /** Counts one of `most` in a window of time. Answers the milliseconds to wait where there were as many; else 0. */
  countInWindow(key: string, most: number, window_ms: number): Answer;
  /** Counts a try that may fail. After some failures in a row it answers the milliseconds to wait, and counts nothing. */
  countTry(key: string): Answer;
  /** A try has succeeded: the ones before do not count any more. */
  forgetTries(key: string): Answer;
  /** The wrong keys from a network, this one included. */
  countWrongKey(network: string): Answer;
  /** The milliseconds until an unknown key from a network with `most` wrong ones is looked at; below 0, their number: too many wait. */
  takeTurn(network: string, most: number): Answer;
}
