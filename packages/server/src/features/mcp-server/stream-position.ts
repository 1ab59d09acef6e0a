import { z } from 'zod';

/** A call as its stream names it: enough to go on with on any node, with nothing kept of it but its run. */
export interface StreamedCall {
  run_id: string;
  request_id: string | number;
  progress_token: string | number | undefined;
}

/** Where a client was in the stream of a call. */
export interface Place extends StreamedCall {
  /** How far the call was; see `tell` of who waits. */
  at: number;
}

/** After this nothing comes. */
export const streamEnd = Number.MAX_SAFE_INTEGER;

const scalar = z.union([z.string().max(500), z.number()]);
const written = z.tuple([z.guid(), z.int().min(0), z.int().min(0), scalar, z.union([scalar, z.null()])]);

/** The id of an event. `part` tells those apart that belong to the same place. */
export function writeEventId({ run_id, at, request_id, progress_token }: Place, part: number): string {
  return Buffer.from(JSON.stringify([run_id, at, part, request_id, progress_token ?? null])).toString('base64url');
}

/** What an event's id says; undefined when it is none of ours. */
export function placeOf(id: string): Place | undefined {
  if (id.length > 2000) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(id, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const { data } = written.safeParse(read);
  if (!data) return undefined;
  const [run_id, at, , request_id, token] = data;
  return { run_id, at, request_id, progress_token: token ?? undefined };
}
