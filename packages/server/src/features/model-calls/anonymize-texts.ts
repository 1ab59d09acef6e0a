import { plainRequest } from '../../drivers/models/driver.ts';
import type { Anonymizer } from './ports.ts';

/** Texts as they may leave the platform: hidden as those are that are said to a model. */
export async function anonymizeTexts(texts: readonly string[], veil: Anonymizer): Promise<string[]> {
  const parts = texts.map((text) => ({ type: 'text' as const, text }));
  const request = await veil.hide({
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
