import type { MessageMetadata, RunEvent } from '@atrium/contract/runs/events.ts';
import { toolText } from '../tools/service.ts';
import { makeLostWords } from './lost-words.ts';
import type { MessageFile, MessagePart, Reply } from './ports.ts';

type FunctionPart = Extract<MessagePart, { type: 'function' }>;

/**
 * The message that a run's events add up to. The same events always give the same message, so it can be built while
 * the run goes on or from the log after a crash.
 */
export function makeReply(): Reply {
  let parts: MessagePart[] = [];
  let metadata: MessageMetadata | null = null;
  let foundNothing = false;
  const lostWords = makeLostWords();

  function addWords(event: Extract<RunEvent, { type: 'text-delta' | 'reasoning-delta' }>): void {
    const { step, text: content } = event;
    const type = event.type === 'text-delta' ? 'text' : 'reasoning';
    const advice = event.type === 'text-delta' ? event.advice : undefined;
    const last = parts.at(-1);
    if (last?.type === type && last.step === step && last.advice === advice) last.content += content;
    else parts.push({ role: 'assistant', type, content, step, ...(advice && { advice }) });
  }

  const callOf = (step: number, id: string) =>
    parts.find(
      (part): part is FunctionPart => part.type === 'function' && part.step === step && part.tool_call_id === id,
    );

  return {
    add(event: RunEvent): void {
      for (const words of lostWords.add(event)) addWords(words);
      if (event.type === 'attempt-start' && event.discard)
        parts = parts.filter((part) => !('step' in part) || part.step !== event.step);
      else if (event.type === 'text-delta' || event.type === 'reasoning-delta') addWords(event);
      else if (event.type === 'tool-call')
        parts.push({
          role: 'function',
          type: 'function',
          content: '',
          step: event.step,
          name: event.name,
          tool_call_id: event.id,
          arguments: event.input,
          is_error: false,
        });
      else if (event.type === 'tool-result') {
        const { is_error, brings } = event;
        const found = { content: toolText(event.output), is_error, ...(brings?.length && { brings }) };
        Object.assign(callOf(event.step, event.id) ?? {}, found);
      } else if (event.type === 'approval-request') {
        const { step, id, call_id: tool_call_id, reason, expires_at } = event;
        const asked = { role: 'assistant', type: 'approval', content: '' } as const;
        parts.push({ ...asked, step, id, tool_call_id, reason, expires_at, decision: null, note: null });
      } else if (event.type === 'approval-decision') {
        const { decision, note } = event;
        Object.assign(parts.find((part) => part.type === 'approval' && part.id === event.id) ?? {}, { decision, note });
      } else if (event.type === 'human-request')
        parts.push({
          role: 'assistant',
          type: 'human-request',
          content: event.message,
          step: event.step,
          id: event.id,
          question: event.question,
        });
      else if (event.type === 'source')
        parts.push({
          role: 'assistant',
          type: 'source',
          content: event.quote ?? '',
          step: event.step,
          url: event.url,
          title: event.title,
          ...(event.place && { place: event.place }),
          ...(event.images && { images: event.images }),
          ...(event.number && { number: event.number }),
        });
      else if (event.type === 'file') {
        const { inline, ...file } = event.file;
        const files: [MessageFile] = [{ ...file, status: 'success' }];
        parts.push({ role: 'assistant', type: 'file', content: '', step: event.step, files, inline });
      } else if (event.type === 'workflow-progress') {
        const { step, progress } = event;
        const content = `${progress.title}: ${progress.status}`;
        // Of one workflow only how far it came in the end is kept.
        parts = parts.filter((part) => part.type !== 'workflow_progress' || part.progress.run_id !== progress.run_id);
        parts.push({ role: 'assistant', type: 'workflow_progress', content, step, progress });
      } else if (event.type === 'state-transition') {
        const { step, id, from, to } = event;
        // A node that takes the turn over tells them again.
        parts = parts.filter((part) => part.type !== 'state_transition' || part.id !== id);
        parts.push({ role: 'assistant', type: 'state_transition', content: `${from} → ${to}`, step, id, from, to });
      } else if (event.type === 'guardrail') {
        const { action, failed } = event;
        if (event.stage !== 'output' || !(failed || (action !== null && action !== 'warn'))) return;
        const categories = failed ? ['guardrail_unavailable'] : event.objections.map(({ category }) => category);
        parts = parts.filter((part) => !('step' in part) || part.step !== event.step);
        parts.push({
          role: 'assistant',
          type: 'withheld',
          content: '',
          step: event.step,
          categories,
          action: action ?? 'fail',
        });
      } else if (event.type === 'handover')
        parts.push({ role: 'assistant', type: 'handover', content: event.note, step: 0 });
      else if (event.type === 'footer') parts.push({ role: 'assistant', type: 'footer', content: event.text, step: 0 });
      else if (event.type === 'step-end') foundNothing = event.found_nothing === true;
      else if (event.type === 'message-end') metadata = event.metadata;
      else if (event.type === 'run-end' && event.error)
        parts.push({ role: 'assistant', type: 'error', content: event.error.message, code: event.error.code });
    },

    get parts(): readonly MessagePart[] {
      return parts;
    },
    get metadata(): MessageMetadata | null {
      return metadata;
    },
    get foundNothing(): boolean {
      return foundNothing;
    },
  };
}
