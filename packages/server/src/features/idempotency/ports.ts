import type { Scope } from '../../lib/scope.ts';

/** The status and the body of an answer. */
export interface StoredAnswer {
  status: number;
  text: string;
}

/** Stores the answers to requests with an Idempotency-Key for a day. */
export interface IdempotencyStore {
  /** Claims the key for this request, or returns the answer of the request that has it; throws 409 for any other use. */
  begin(scope: Scope, key: string, fingerprint: Buffer): Promise<StoredAnswer | IdempotentRequest>;
}

export interface IdempotentRequest {
  /** Stores the answer in the transaction that does the work, by running this statement in it. */
  storeWith(run: (text: string, values: unknown[]) => Promise<unknown>, text: string): Promise<void>;
  finish(answer: StoredAnswer): Promise<void>;
  /** Frees the key of a request that failed on the server's side and changed nothing. */
  abandon(): Promise<void>;
}
