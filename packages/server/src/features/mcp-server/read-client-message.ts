import { z } from 'zod';
import type { StreamedCall } from './stream-position.ts';

const scalar = z.union([z.string(), z.number()]);
const message = z.looseObject({
  id: scalar.optional().catch(undefined),
  method: z.string(),
  params: z
    .looseObject({
      requestId: scalar.optional().catch(undefined),
      _meta: z
        .looseObject({ progressToken: scalar.optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** A longer id does not fit into event ids, so its stream can't be resumed. */
const fits = (value: string | number | undefined) => typeof value !== 'string' || value.length <= 500;

/**
 * Reads the fields of a client's message that are needed before the library parses it. Batches are left to the library.
 */
export function readClientMessage(body: unknown): {
  method?: string;
  /** The id of the call to cancel. */
  cancels?: string | number | undefined;
  call?: Omit<StreamedCall, 'run_id'>;
} {
  const { data } = message.safeParse(body);
  if (!data) return {};
  const { method, id, params } = data;
  const progress_token = params?._meta?.progressToken;
  const call = method === 'tools/call' && id !== undefined && fits(id) && fits(progress_token);
  return { method, cancels: params?.requestId, ...(call && { call: { request_id: id, progress_token } }) };
}
