import { z } from 'zod';

/** A call as the event ids of its stream name it: enough to resume it on any node. */
export interface StreamedCall {
  run_id: string;
  request_id: string | number;
  progress_token: string | number | undefined;
}

/** A position in the stream of a call. */
export interface Place extends StreamedCall {
  /** The progress of the call; see `tell` in ports.ts. */
  at: number;
}

/** The position after which no event follows. */
export const streamEnd = Number.MAX_SAFE_INTEGER;

const scalar = z.union([z.string().max(500), z.number()]);
const written = z.tuple([z.guid(), z.int().min(0), z.int().min(0), scalar, z.union([scalar, z.null()])]);

/** Writes the id of an event. `part` distinguishes events at the same position. */
export function writeEventId({ run_id, at, request_id, progress_token }: Place, part: number): string {
  return Buffer.from(JSON.stringify([run_id, at, part, request_id, progress_token ?? null])).toString('base64url');
}

/** Reads an event id; undefined when it is not valid. */
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
