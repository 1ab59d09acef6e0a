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

/** Ids that are longer do not fit into those of events; their streams can't be gone on with. */
const fits = (value: string | number | undefined) => typeof value !== 'string' || value.length <= 500;

/** What a client sends, as far as it is looked at before the library does. What is no single message is left to that. */
export function readClientMessage(body: unknown): {
  method?: string;
  /** The call that it calls off. */
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
