import { plainRequest } from '../../drivers/models/driver.ts';
import type { Veil } from './veil.ts';

/** Texts as they may leave the platform: hidden as those are that are said to a model. */
export async function hiddenTexts(texts: readonly string[], veil: Veil): Promise<string[]> {
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
