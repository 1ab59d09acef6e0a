import type { MessageMetadata, NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import {
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai';
import { frameText } from '../../../lib/responses/sse-frame.ts';
import { displayOf, makeChunks } from '../../messages/service.ts';
import { partsOfChunks } from '../../messages/ui/ui-parts.ts';
import type { Dialect, DialectContext } from './ui-dialect.ts';

const usage = { input_tokens: 3, cached_tokens: 0, output_tokens: 5, reasoning_tokens: 0, cost: 0.01 };
export const run_id = '0190a000-0000-7000-8000-000000000001';
export const message_id = '0190a000-0000-7000-8000-000000000002';
export const metadata: MessageMetadata = { run_id, model: 'fake/one', attempts: [], usage, ms: 12, warnings: [] };

export const say = {
  start: { type: 'run-start', run_id, conversation_id: 'c', user_message_id: 'u', message_id } as RunEvent,
  step: (step = 1): RunEvent => ({ type: 'step-start', step }),
  text: (text: string, step = 1): RunEvent => ({ type: 'text-delta', step, text }),
  think: (text: string, step = 1): RunEvent => ({ type: 'reasoning-delta', step, text }),
  call: (id: string, name = 'clock_now', step = 1): RunEvent => ({
    type: 'tool-call',
    step,
    id,
    name,
    input: { a: 1 },
  }),
  result: (id: string, output: unknown, is_error = false, step = 1): RunEvent => ({
    type: 'tool-result',
    step,
    id,
    name: 'clock_now',
    output,
    is_error,
  }),
  file: (inline = false, step = 1): RunEvent => ({
    type: 'file',
    step,
    file: { id: 'f1', name: 'a.csv', size: 3, type: 'text/csv', url: 'store://f1', inline },
  }),
  source: (url: string | null, quote: string | null = null, step = 1): RunEvent => ({
    type: 'source',
    step,
    id: 's',
    url,
    title: 'A page',
    quote,
  }),
  discard: (step = 1): RunEvent => ({ type: 'attempt-start', step, attempt: 2, model: 'fake/two', discard: true }),
  stepEnd: (step = 1, finish_reason: 'stop' | 'tool-calls' = 'stop'): RunEvent => ({
    type: 'step-end',
    step,
    finish_reason,
    model: 'fake/one',
    usage,
  }),
  messageEnd: { type: 'message-end', message_id, metadata } as RunEvent,
  completed: { type: 'run-end', status: 'completed', error: null } as RunEvent,
  stopped: { type: 'run-end', status: 'stopped', error: null } as RunEvent,
  failed: {
    type: 'run-end',
    status: 'failed',
    error: { code: 'model_failed', message: 'No model answered' },
  } as RunEvent,
};

/** The events of a complete run of one step, around the given ones. */
export const oneStep = (...said: RunEvent[]): RunEvent[] => [
  say.start,
  say.step(),
  ...said,
  say.stepEnd(),
  say.messageEnd,
  say.completed,
];

export const numbered = (events: readonly RunEvent[]): NumberedEvent[] =>
  events.map((event, index) => ({ ...event, seq: index + 1 }));

export const contextOf = (settings: SparseSettings = {}): DialectContext => ({
  display: displayOf(effectiveSettings(settings)),
  run_id,
  created_ms: 1_700_000_000_000,
});

export const bytesOf = (dialect: Dialect, events: readonly NumberedEvent[]) =>
  events.flatMap(dialect).map(frameText).join('');

/** The frames as the AI SDK's own parser and schema read them; throws where they do not fit. */
export async function readChunks(bytes: string): Promise<UIMessageChunk[]> {
  const parsed = parseJsonEventStream({ stream: new Blob([bytes]).stream(), schema: uiMessageChunkSchema });
  const chunks: UIMessageChunk[] = [];
  for await (const result of parsed) {
    if (!result.success) throw result.error;
    chunks.push(result.value);
  }
  return chunks;
}

/** The message that an AI SDK client has in the end, without the keys that are undefined. */
export async function readMessage(chunks: readonly UIMessageChunk[]) {
  const errors: string[] = [];
  let message: UIMessage | undefined;
  const onError = (error: unknown) => void errors.push((error as Error).message);
  for await (const state of readUIMessageStream({ stream: ReadableStream.from(chunks), onError })) message = state;
  return { message: JSON.parse(JSON.stringify(message)) as UIMessage, errors };
}

/** The parts that users see of a run. */
export const shownParts = (events: readonly RunEvent[], settings: SparseSettings = {}) =>
  partsOfChunks(events.flatMap(makeChunks(contextOf(settings).display)));

/** A part by its text, its data or its type: enough to tell which it is. */
export const inShort = (parts: ReturnType<typeof shownParts>) =>
  parts.filter(({ type }) => type !== 'step-start').map(({ type, text, data }) => text ?? data ?? type);
