import type { Display } from '../ports.ts';
import type { EventOf, UiChunk } from './chunk-types.ts';
import { copyPartState, newPartState } from './part-state.ts';
import { sourceChunks } from './source-chunks.ts';
import { approvalRequest, approvalResponse, toolCall, toolResult } from './tool-chunks.ts';

type Words = Pick<EventOf<'text-delta'>, 'text' | 'withheld' | 'advice'>;

/** Writes the visible parts of one message as chunks. A step without visible parts has no chunks. */
export function makePartWriter(display: Display) {
  let state = newPartState();
  let atStepStart = newPartState();
  let step: 'none' | 'due' | 'started' = 'none';

  function close(): UiChunk[] {
    const { open } = state;
    state.open = null;
    return open ? [{ type: `${open.type}-end`, id: open.id }] : [];
  }

  /** A marker with a known id replaces the count in the existing part. */
  const marker = (): UiChunk[] =>
    state.group ? [{ type: 'data-chain-of-thought', id: state.group.id, data: { parts: state.group.parts } }] : [];

  /** The chunks before a new part. Adjacent reasoning and tools are one group, also across steps. */
  function beforePart(thought: boolean): UiChunk[] {
    const chunks = close();
    if (step === 'due') {
      chunks.push({ type: 'start-step' });
      step = 'started';
    }
    if (!thought) state.group = null;
    else if (display.groups) {
      state.group ??= { id: `chain-${++state.groups}`, parts: 0 };
      state.group.parts++;
      chunks.push(...marker());
    }
    return chunks;
  }

  function endStep(): UiChunk[] {
    const started = step === 'started';
    step = 'none';
    return started ? [{ type: 'finish-step' }] : [];
  }

  return {
    close,
    endStep,

    startStep(): UiChunk[] {
      const chunks = [...close(), ...endStep()];
      atStepStart = copyPartState(state);
      step = 'due';
      return chunks;
    },

    /** Back to the beginning of the step. A group from an earlier step stays, with the number of parts it had. */
    resetStep(): UiChunk[] {
      state = copyPartState(atStepStart);
      return step === 'started' ? [{ type: 'reset-step' }, ...marker()] : [];
    },

    /** Replaces the text of the step by a part that says it was withheld, and why. */
    retract({ step: number, action, objections, failed }: EventOf<'guardrail'>): UiChunk[] {
      state = copyPartState(atStepStart);
      const reset: UiChunk[] = step === 'started' ? [{ type: 'reset-step' }, ...marker()] : [];
      const categories = failed ? ['guardrail_unavailable'] : objections.map(({ category }) => category);
      const data = { action: action ?? 'fail', categories };
      return [...reset, ...beforePart(false), { type: 'data-retract', id: `retract-${number}`, data }];
    },

    /** Withheld text still opens its part, so that clients that have shown it can drop it. */
    words(type: 'text' | 'reasoning', { text: delta, withheld, advice }: Words): UiChunk[] {
      if ((!delta && !withheld) || (type === 'reasoning' && !display.reasoning)) return [];
      if (advice && !display.advice) return [];
      const chunks: UiChunk[] = [];
      if (state.open?.type !== type) {
        chunks.push(...beforePart(type === 'reasoning'));
        state.open = { type, id: `${type}-${++state.said}` };
        chunks.push({ type: `${type}-start`, id: state.open.id });
      }
      return [...chunks, { type: `${type}-delta`, id: state.open.id, delta }];
    },

    call(event: EventOf<'tool-call'>): UiChunk[] {
      const look = display.tool(event.name);
      if (!look) return [];
      state.calls.set(event.id, look);
      return [...beforePart(true), toolCall(event, look)];
    },

    result(event: EventOf<'tool-result'>): UiChunk[] {
      const look = state.calls.get(event.id);
      const denied = state.denied.has(event.id);
      state.calls.delete(event.id);
      state.denied.delete(event.id);
      if (!look) return [];
      // Errors of tools tell the operator what to configure.
      const isHidden = event.is_error && display.failure_text !== null;
      return [toolResult(isHidden ? { ...event, output: 'This step failed' } : event, look, denied)];
    },

    /** Only members of the workspace can decide; others see that the call is not done yet. */
    approval(event: EventOf<'approval-request' | 'approval-decision'>): UiChunk[] {
      const look = state.calls.get(event.call_id);
      if (!display.metadata) return [];
      if (event.type === 'approval-request') {
        const chunk = approvalRequest(event, look);
        return chunk.type === 'data-approval' ? [...beforePart(false), chunk] : [chunk];
      }
      if (event.decision === 'reject') state.denied.add(event.call_id);
      return [approvalResponse(event, look)];
    },

    /** The message for users while a person is asked; only members see the question. */
    question({ id, question, message }: EventOf<'human-request'>): UiChunk[] {
      const data = display.metadata ? { message, question } : { message };
      return [...beforePart(false), { type: 'data-human-request', id, data }];
    },

    source(event: EventOf<'source'>): UiChunk[] {
      const look = display.sources;
      if (!look || (look.unique && event.url !== null && state.urls.has(event.url))) return [];
      if (event.url !== null) state.urls.add(event.url);
      const chunks = sourceChunks(event, ++state.sources, look).filter((chunk) => {
        // Passages of one page share its images.
        if (chunk.type !== 'file') return true;
        const isNew = !state.images.has(chunk.url);
        state.images.add(chunk.url);
        return isNew;
      });
      if (!look.footnotes) return [...beforePart(false), ...chunks];
      state.footnotes.push(...chunks);
      return [];
    },

    /** Frames of files have no field for a name: it stands with what is our own. */
    file({ file: { id, name, size, type, url, inline } }: EventOf<'file'>): UiChunk[] {
      const about = { id, filename: name, size, inline };
      return [...beforePart(false), { type: 'file', url, mediaType: type, providerMetadata: { atrium: about } }];
    },

    /** The footnotes under the whole text. */
    footnotes(): UiChunk[] {
      const chunks = [...close(), ...state.footnotes];
      state.footnotes = [];
      return chunks;
    },
  };
}
