import type { StreamFormat } from '@atrium/contract/runs/schema.ts';
import type { UiChunk } from '@atrium/contract/runs/ui-chunk.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';

/** Tells a client to drop what it shows of the answer. Other clients ignore data that is not kept. */
const reset: UiChunk = { type: 'data-reset', data: {}, transient: true };

/**
 * The first frames of a stream that begins anew, because the client has seen words that were lost with a node: all
 * frames of the answer follow. They have the number 0, which no event has.
 */
export function resetFrames(
  kind: 'conversation' | 'run',
  format: StreamFormat,
  run: { id: string; created_at: string },
): Frame[] {
  if (format === 'ui') return [{ id: `${run.id}:0`, data: JSON.stringify(reset) }];
  if (format === 'vercel') return [{ data: JSON.stringify(reset) }];
  if (format === 'json') {
    const { type: event, ...data } = reset;
    return [{ event: 'message', data: JSON.stringify({ event, data, seq: 0 }) }];
  }
  if (kind === 'conversation') return [{ data: JSON.stringify({ ...reset, role: 'assistant', content: '' }) }];
  const data = { status: 'running', progress_details: { discard: true } };
  return [
    { event: 'message', data: JSON.stringify({ type: 'state', data, redisId: `${Date.parse(run.created_at)}-0` }) },
  ];
}
