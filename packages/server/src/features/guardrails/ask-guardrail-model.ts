import { type ModelPart, type ModelRequest, plainRequest, systemOf } from '../../drivers/models/driver.ts';
import { throwIfFinal } from '../../lib/budget-reached.ts';
import { readMarks } from '../../lib/text/covered-text.ts';
import type { AnonymizedModel } from '../model-calls/ports.ts';
import type { Ask, Question } from './guardrail-question.ts';

/** A verdict is short; a model that writes more than this has not understood the question. */
const longestAnswer = 20_000;

/** Temperature 0, so that the same text gets the same verdict. */
const requestOf = (model: string, { system, parts, max_tokens, json_schema }: Question): ModelRequest => ({
  ...plainRequest,
  model,
  ...systemOf(readMarks(system)),
  messages: [{ role: 'user', parts: parts.map((text) => ({ type: 'text', text })) }],
  max_tokens,
  cache: true,
  json_schema,
});

async function wholeText(parts: AsyncIterable<ModelPart>): Promise<string> {
  let text = '';
  for await (const part of parts) {
    if (part.type === 'finish') {
      if (part.reason === 'content-filter' || part.reason === 'error') throw new Error('The answer was withheld');
      return text;
    }
    if (part.type === 'text') text += part.text;
    if (text.length > longestAnswer) throw new Error('The answer is too long for a verdict');
  }
  throw new Error('The answer broke off before its end');
}

/**
 * Asks one model: at its first address, then at its further addresses; a model with one address is asked there twice.
 * The signal of the question limits the time of all attempts.
 */
export function askModel({ model, addresses }: { model: string; addresses: readonly AnonymizedModel[] }): Ask {
  const tries = addresses.length === 1 ? [...addresses, ...addresses] : addresses;
  return async (question) => {
    const request = requestOf(model, question);
    let failure: unknown;
    for (const address of tries) {
      question.signal.throwIfAborted();
      try {
        return await wholeText(address.stream(await address.anonymize(request), question.signal, 'guardrail'));
      } catch (error) {
        throwIfFinal(error);
        failure = error;
      }
    }
    throw failure;
  };
}
