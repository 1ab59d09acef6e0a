import { AppError } from '@atrium/contract/errors.ts';
import type { Principal } from '../../lib/scope.ts';

type Caller = Pick<Principal, 'actor' | 'stream_limit'>;

/** Limits how many event streams a caller holds open at once. Each process counts its own. */
export interface StreamLimits {
  /** Takes a place for a stream and returns what frees it; throws 429 `too_many_streams` when the caller has none left. */
  open(caller: Caller): () => void;
}

/** A closed stream frees its place at once, so that clients may try again soon. */
const retryAfterSeconds = 5;

const names: Partial<Record<Principal['actor']['kind'], string>> = { person: 'person', api_key: 'API key' };

export function makeStreamLimits({ streams_per_caller }: { streams_per_caller: number }): StreamLimits {
  const open = new Map<string, number>();
  return {
    open({ actor: { kind, id }, stream_limit }) {
      const limit = stream_limit ?? streams_per_caller;
      const count = open.get(id) ?? 0;
      if (limit > 0 && count >= limit)
        throw new AppError(
          'too_many',
          `This ${names[kind] ?? 'caller'} may hold ${limit} event streams open at once; close one, or try again in ${retryAfterSeconds} s`,
          { code: 'too_many_streams', headers: { 'retry-after': String(retryAfterSeconds) } },
        );
      open.set(id, count + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (open.get(id) ?? 1) - 1;
        if (left > 0) open.set(id, left);
        else open.delete(id);
      };
    },
  };
}

/** Whether an operation may answer a request with an event stream, before it is known what it answers. */
export function mayAnswerStream(
  { content_type }: { content_type?: string },
  { query, body }: { query?: unknown; body?: unknown },
): boolean {
  if (content_type === 'text/event-stream') return true;
  const has = (value: unknown, key: string) =>
    typeof value === 'object' && value !== null && Boolean((value as Record<string, unknown>)[key]);
  return has(body, 'stream') || has(query, 'format');
}
