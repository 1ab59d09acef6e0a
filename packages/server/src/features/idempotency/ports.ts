import type { Scope } from '../../lib/scope.ts';

/** An answer as it was or will be sent. */
export interface StoredAnswer {
  status: number;
  text: string;
}

/** Where answers to requests with an Idempotency-Key are kept for a day. */
export interface IdempotencyStore {
  /** Claims the key for this request, or gives the answer of the one that had it; throws 409 for any other use. */
  begin(scope: Scope, key: string, fingerprint: Buffer): Promise<StoredAnswer | IdempotentRequest>;
}

export interface IdempotentRequest {
  /** Stores the answer in the transaction that does the work, by running this statement in it. */
  storeWith(run: (text: string, values: unknown[]) => Promise<unknown>, text: string): Promise<void>;
  finish(answer: StoredAnswer): Promise<void>;
  /** The request failed on our side and changed nothing: the key may be used again. */
  abandon(): Promise<void>;
}
