import type { ChatMessage, Chunk, MessageMetadata, UiPart } from './message-types.ts';

const replaceAt = (parts: readonly UiPart[], index: number, part: UiPart): readonly UiPart[] =>
  index < 0 ? parts : parts.with(index, part);

const isBegun = (type: string) =>
  /-start$|^tool-input-available$|^source-|^file$|^data-/.test(type) && type !== 'start-step';

/** What an attempt said that broke off stays to be read until the next one says something, or all have failed. */
function dropBroken(parts: readonly UiPart[]): readonly UiPart[] {
  return parts.some(({ broken }) => broken) ? parts.filter(({ broken }) => !broken) : parts;
}

/** The parts after a chunk. Parts that it does not change keep their identity. */
function reduceParts(all: readonly UiPart[], chunk: Chunk): readonly UiPart[] {
  return changeParts(isBegun(chunk.type) && !chunk['transient'] ? dropBroken(all) : all, chunk);
}

function changeParts(parts: readonly UiPart[], chunk: Chunk): readonly UiPart[] {
  const change = (index: number, fields: Partial<UiPart>) =>
    replaceAt(parts, index, { ...(parts[index] as UiPart), ...fields });
  const openOf = (type: string) => parts.findLastIndex((part) => part.type === type && part.state === 'streaming');
  const callOf = (id: unknown) =>
    parts.findLastIndex(({ toolCallId }) => toolCallId !== undefined && toolCallId === id);
  const { type, ...fields } = chunk;
  const [said, what] = /^(text|reasoning)-(start|delta|end)$/.exec(type)?.slice(1) ?? [];
  if (said && what === 'start') {
    const id = said === 'reasoning' && { id: String(chunk['id']) };
    return [...parts, { type: said, ...id, text: '', state: 'streaming' }];
  }
  if (said && what === 'end') return change(openOf(said), { state: 'done' });
  if (said) {
    const at = openOf(said);
    return change(at, { text: (parts[at]?.text ?? '') + String(chunk['delta'] ?? '') });
  }
  switch (type) {
    case 'start-step':
      return [...parts, { type: 'step-start' }];
    case 'reset-step': {
      const from = parts.findLastIndex((part) => part.type === 'step-start') + 1;
      return [
        ...parts.slice(0, from),
        ...parts.slice(from).flatMap((part) => (part.type === 'text' ? [{ ...part, broken: true }] : [])),
      ];
    }
    case 'tool-input-available': {
      const { toolName, ...call } = fields;
      return [...parts, { type: `tool-${toolName}`, state: 'input-available', ...call }];
    }
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
      return change(callOf(chunk['toolCallId']), { ...fields, state: type.slice('tool-'.length) });
    case 'tool-approval-request': {
      const approval = { id: chunk['approvalId'], requestReason: chunk['reason'] };
      return change(callOf(chunk['toolCallId']), { approval, state: 'approval-requested' });
    }
    case 'tool-approval-response': {
      const at = parts.findLastIndex(({ approval }) => (approval as { id?: unknown })?.id === chunk['approvalId']);
      const { approved, reason } = chunk;
      const approval = { ...(parts[at]?.['approval'] as object), approved, ...(reason !== undefined && { reason }) };
      return change(at, { approval, state: 'approval-responded' });
    }
    case 'source-url':
    case 'source-document':
    case 'file':
      return [...parts, { type, ...fields }];
  }
  if (!type.startsWith('data-') || chunk['transient']) return parts;
  const there = parts.findIndex((part) => part.type === type && part.id === chunk['id']);
  if (there < 0) return [...parts, { type, ...fields }];
  // A decision comes without what was asked: both belong to the card.
  const before = parts[there]?.['data'] as object | undefined;
  return change(there, {
    data: type === 'data-approval' ? { ...before, ...(chunk['data'] as object) } : chunk['data'],
  });
}

/** A message after a chunk of its stream. Returns the same message when nothing of it changed. */
export function reduceChunk(message: ChatMessage, chunk: Chunk): ChatMessage {
  const metadata = chunk['messageMetadata'] as MessageMetadata | undefined;
  switch (chunk.type) {
    case 'start':
      return { ...message, id: String(chunk['messageId'] ?? message.id), parts: [], metadata: metadata ?? null };
    case 'data-reset':
      // The server has lost words that were shown: all of the answer comes again.
      return { ...message, parts: [] };
    case 'message-metadata':
      return { ...message, metadata: { ...message.metadata, ...metadata } };
    case 'abort':
      return { ...message, parts: dropBroken(message.parts), state: 'stopped' };
    case 'error':
      return {
        ...message,
        parts: dropBroken(message.parts),
        state: 'failed',
        failure: String(chunk['errorText'] ?? ''),
      };
    case 'data-thinking':
      return { ...message, thinking: String((chunk['data'] as { text?: string } | undefined)?.text ?? '') };
    case 'finish': {
      const { state: _, ...finished } = message;
      return { ...finished, parts: dropBroken(finished.parts) };
    }
  }
  const parts = reduceParts(message.parts, chunk);
  return parts === message.parts ? message : { ...message, parts };
}
