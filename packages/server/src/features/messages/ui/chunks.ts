import type { FinishReason } from '@atrium/contract/models/model-usage.ts';
import { makeLostWords } from '../lost-words.ts';
import type { Display } from '../ports.ts';
import type { EmittedEvent, EventOf, UiChunk } from './chunk-types.ts';
import { makePartWriter } from './part-writer.ts';
import { shownFailure } from './shown-failure.ts';

/** The events of one run as the frames that a chat reads, by what users see. */
export function makeChunks(display: Display): (event: EmittedEvent) => UiChunk[] {
  const write = makePartWriter(display);
  const lostWords = makeLostWords();
  let finish_reason: FinishReason = 'stop';

  function end({ status, error: reason }: EventOf<'run-end'>): UiChunk[] {
    const error = reason && shownFailure(reason, display);
    const chunks = [...write.footnotes(), ...write.endStep()];
    if (error && display.errors) chunks.push({ type: 'data-error', id: 'error', data: { ...error } });
    // Clients always get the end of the run; the banner is the part above.
    if (status === 'failed') return [...chunks, { type: 'error', errorText: error?.message ?? 'The run failed' }];
    if (status === 'stopped') return [...chunks, { type: 'abort', reason: 'stopped' }];
    return [...chunks, { type: 'finish', finishReason: finish_reason }];
  }

  function told(event: EmittedEvent): UiChunk[] {
    switch (event.type) {
      case 'run-start': {
        const metadata = display.metadata ? { messageMetadata: { run_id: event.run_id } } : {};
        const start: UiChunk = { type: 'start', messageId: event.message_id, ...metadata };
        const text = display.thinking_text;
        return text === null ? [start] : [start, { type: 'data-thinking', data: { text }, transient: true }];
      }
      case 'step-start':
        return write.startStep();
      case 'attempt-start':
        return event.discard ? write.resetStep() : [];
      case 'text-delta':
        return write.words('text', event);
      case 'reasoning-delta':
        return write.words('reasoning', event);
      case 'tool-call':
        return write.call(event);
      case 'tool-result':
        return write.result(event);
      case 'source':
        return write.source(event);
      case 'file':
        return write.file(event);
      case 'workflow-progress':
        return [{ type: 'data-workflow-progress', id: event.progress.run_id, data: { ...event.progress } }];
      case 'state-transition': {
        const { id, from, to } = event;
        return [{ type: 'data-state-transition', id, data: { from, to } }];
      }
      case 'step-end':
        finish_reason = event.finish_reason;
        // The step goes on for clients until the results of its tools are there.
        return write.close();
      case 'guardrail': {
        const { stage, action, failed } = event;
        if (stage !== 'output' || !(failed || (action !== null && action !== 'warn'))) return [];
        return write.retract(event);
      }
      case 'handover':
        // The note is for the person who takes over, not for waiting users.
        return [{ type: 'data-handover', id: 'handover', data: display.metadata ? { note: event.note } : {} }];
      case 'approval-request':
      case 'approval-decision':
        return write.approval(event);
      case 'human-request':
        return write.question(event);
      case 'human-answer':
        // An answer to a tool is its result; one in place of the agent's is a reply.
        if (event.call_id !== null || event.content === null) return [];
        return [...write.startStep(), ...write.words('text', { text: event.content }), ...write.close()];
      case 'run-pause':
        return write.close();
      case 'warning':
        return [{ type: 'data-warning', data: { code: event.code, message: event.message }, transient: true }];
      case 'title':
        return [{ type: 'data-title', data: { name: event.name }, transient: true }];
      case 'footer': {
        const footer: UiChunk = { type: 'data-footer', id: 'footer', data: { text: event.text } };
        return display.footers ? [...write.footnotes(), footer] : [];
      }
      case 'message-end':
        return display.metadata ? [{ type: 'message-metadata', messageMetadata: { ...event.metadata } }] : [];
      case 'run-end':
        return end(event);
      default:
        // An event that a newer version wrote: there is no frame for it here.
        return [];
    }
  }

  return (event) => {
    const chunks = [...lostWords.add(event), event].flatMap(told);
    return chunks.filter(({ type }) => display.part(type));
  };
}
