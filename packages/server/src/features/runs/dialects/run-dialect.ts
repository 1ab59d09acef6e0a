import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import type { NumberedEvent } from '@atrium/contract/runs/events.ts';
import type { Dialect, DialectContext } from './ui-dialect.ts';

type Told = { type: 'content' | 'state'; data: Record<string, unknown> };

/** The events of a run as clients of workflow runs know them. At most one frame for an event: its id is its number. */
export function makeRunDialect({ display, created_ms }: DialectContext): Dialect {
  let id = '';
  let finish_reason: FinishReason | undefined;

  const state = (progress_details: Record<string, unknown>): Told => ({
    type: 'state',
    data: { status: 'running', progress_details },
  });

  function told(event: NumberedEvent): Told | undefined {
    switch (event.type) {
      case 'run-start':
        id = event.message_id;
        return state({});
      case 'step-start':
        return state({ step: event.step });
      case 'attempt-start':
        // A client that joins the contents of this step starts again.
        return event.discard ? state({ step: event.step, discard: true }) : undefined;
      case 'guardrail':
        return event.retracts ? state({ step: event.step, discard: true, retract: true }) : undefined;
      case 'text-delta':
        if (event.advice && !display.advice) return undefined;
        return { type: 'content', data: { id, status: 'running', content: event.text } };
      case 'tool-call':
      case 'tool-result':
        if (!display.tool(event.name)) return undefined;
        return state({ step: event.step, tool: event.name, done: event.type === 'tool-result' });
      case 'step-end':
        finish_reason = event.finish_reason;
        return undefined;
      case 'run-pause':
        return { type: 'state', data: { status: 'awaiting_human_feedback', progress_details: {} } };
      case 'human-answer':
        if (event.call_id !== null || event.content === null) return undefined;
        return { type: 'content', data: { id, status: 'running', content: event.content } };
      case 'run-end': {
        const { status, error } = event;
        // Clients stop waiting only on `completed` and `failed`; after `stopped` they read the run once the stream has
        // ended.
        if (status === 'stopped') return { type: 'state', data: { status, progress_details: {} } };
        // A reply that is whole needs no reason.
        const ended = status === 'completed' && finish_reason !== 'stop' ? { finish_reason } : {};
        return { type: 'content', data: { id, status, workflow_status: status, ...ended, ...(error && { error }) } };
      }
      default:
        return undefined;
    }
  }

  return (event) => {
    const frame = told(event);
    if (!frame) return [];
    return [{ event: 'message', data: JSON.stringify({ ...frame, redisId: `${created_ms}-${event.seq}` }) }];
  };
}
