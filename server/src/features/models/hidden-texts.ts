import type { ModelRequest } from '../../drivers/models/driver.ts';
import type { Veil } from './veil.ts';

const nothingElse: Omit<ModelRequest, 'messages'> = {
  model: '',
  system: '',
  tools: [],
  parallel_tool_calls: false,
  max_tokens: 1,
  temperature: 0,
  top_p: 1,
  top_k: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  stop_sequences: [],
  reasoning: 'off',
  cache: false,
};

/** Texts as they may leave the platform: hidden as those are that are said to a model. */
export async function hiddenTexts(texts: readonly string[], veil: Veil): Promise<string[]> {
  const parts = texts.map((text) => ({ type: 'text' as const, text }));
  const request = await veil.hide({ ...nothingElse, messages: [{ role: 'user', parts }] });
  const [message] = request.messages;
  const out = message?.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [];
  if (out.length !== texts.length) throw new Error('What is private in a text could not be hidden');
  return out;
}
