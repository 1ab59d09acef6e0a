import { type Model, plainRequest } from '../../drivers/models/driver.ts';
import { meterStream } from './meter-calls.ts';
import type { AnonymizedModel, AnonymizedRequest, Anonymizer, ModelCallContext, StreamMeter } from './ports.ts';

export { meterCall } from './meter-calls.ts';
export { costOf } from './price.ts';

/** For settings that anonymize nothing. */
export const noAnonymizer: Anonymizer = { anonymize: async (request) => request, restore: (parts) => parts };

/** For answers that are stored where nothing private belongs: placeholders stay in them. */
export const keepAnonymized = (anonymizer: Anonymizer): Anonymizer =>
  anonymizer === noAnonymizer
    ? anonymizer
    : { ...anonymizer, anonymize: (request) => anonymizer.anonymize(request), restore: (parts) => parts };

/** The same anonymizer, whose calls are recorded for this conversation. */
export const withCallContext = (anonymizer: Anonymizer, context: ModelCallContext): Anonymizer => ({
  anonymize: (request) => anonymizer.anonymize(request),
  restore: (parts) => anonymizer.restore(parts),
  context,
});

/** Requests pass through the first anonymizer and then the second; answers pass through them in reverse order. */
export function chainAnonymizers(first: Anonymizer, second: Anonymizer): Anonymizer {
  if (first === noAnonymizer) return second;
  if (second === noAnonymizer) return first;
  const context = second.context ?? first.context;
  return {
    anonymize: async (request) => second.anonymize(await first.anonymize(request)),
    restore: (parts) => first.restore(second.restore(parts)),
    ...(context && { context }),
  };
}

/** Puts a model behind an anonymizer. Its calls are metered here, once for all callers. */
export const withAnonymizer = (model: Model, anonymizer: Anonymizer, meter?: StreamMeter): AnonymizedModel => ({
  anonymize: (request) => anonymizer.anonymize(request) as Promise<AnonymizedRequest>,
  extraTokens: (request) => model.extraTokens?.(request) ?? 0,
  stream(request, signal, purpose) {
    const parts = model.stream(request, signal);
    const call = { request, purpose, context: anonymizer.context, signal };
    return anonymizer.restore(meter ? meterStream(parts, meter, call) : parts);
  },
});

/** Anonymizes texts that are sent to a model outside a conversation: to embed, rank or draw. */
export async function anonymizeTexts(texts: readonly string[], anonymizer: Anonymizer): Promise<string[]> {
  const parts = texts.map((text) => ({ type: 'text' as const, text }));
  const request = await anonymizer.anonymize({
    ...plainRequest,
    model: '',
    system: '',
    max_tokens: 1,
    messages: [{ role: 'user', parts }],
  });
  const [message] = request.messages;
  const out = message?.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [];
  if (out.length !== texts.length) throw new Error('What is private in a text could not be hidden');
  return out;
}
