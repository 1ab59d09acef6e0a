import type { Purpose } from '@atrium/contract/models/purposes.ts';
import { type ModelPart, plainRequest, systemOf } from '../../drivers/models/driver.ts';
import { throwIfFinal } from '../../lib/budget-reached.ts';
import { readMarks } from '../../lib/text/covered-text.ts';
import type { Anonymizer, ModelCaller } from '../model-calls/ports.ts';
import type { Registry } from '../models/service.ts';

export interface ModelQuestion {
  system: string;
  text: string;
  max_tokens: number;
  json_schema?: Record<string, unknown>;
}

/** Finds a language model for one short question. Undefined when there is none: the built-in model can't write. */
export type ModelQuestions = (
  caller: ModelCaller,
  anonymizer: Anonymizer,
  purpose: Purpose,
) => Promise<{ model: string; ask(question: ModelQuestion, signal: AbortSignal): Promise<string> } | undefined>;

const timeout_ms = 60_000;

async function wholeText(parts: AsyncIterable<ModelPart>): Promise<string> {
  let text = '';
  for await (const part of parts) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'finish') return text;
  }
  throw new Error('The answer broke off before its end');
}

/** The model of this name, else the least expensive there is, at each of its addresses in turn. */
export function makeModelQuestions(registry: Registry, default_model?: () => string | undefined): ModelQuestions {
  return async (caller, anonymizer, purpose) => {
    const name = default_model?.();
    const [chosen] =
      name === undefined ? await registry.pick(caller, 'cost') : (await registry.resolve(caller, [name])).models;
    if (chosen?.info.kind !== 'llm') return undefined;
    return {
      model: chosen.info.name,
      async ask({ json_schema, ...question }, signal) {
        const within = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);
        let failure: unknown = new Error('The model has no address');
        for (const model of chosen.addresses(anonymizer)) {
          try {
            const request = await model.anonymize({
              ...plainRequest,
              model: chosen.info.model,
              // The question is the server's or the operator's; the text is not.
              ...systemOf(readMarks(question.system)),
              messages: [{ role: 'user', parts: [{ type: 'text', text: question.text }] }],
              max_tokens: question.max_tokens,
              cache: true,
              ...(json_schema && { json_schema }),
            });
            return await wholeText(model.stream(request, within, purpose));
          } catch (error) {
            signal.throwIfAborted();
            throwIfFinal(error);
            failure = error;
          }
        }
        throw failure;
      },
    };
  };
}
