import type { NodeContext } from '../nodes/define-node.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import { type AskModel, isBuiltIn, needsLanguageModel, type Question } from './ask-model.ts';

type Model = Pick<Question, 'model' | 'temperature' | 'max_tokens' | 'anonymize'>;

/** The built-in model finds and quotes; it neither summarizes nor judges, and must not seem to. */
export async function askLanguageModel(ask: AskModel, context: NodeContext, question: Question) {
  const answer = await ask(context, question);
  if (isBuiltIn(answer.model)) throw needsLanguageModel();
  return answer;
}

/** Models wrap JSON into fences and words now and then. */
function jsonIn(text: string): unknown {
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  for (const piece of [text, from < 0 ? '' : text.slice(from, to + 1)])
    try {
      return JSON.parse(piece);
    } catch {
      // The next piece, if there is one.
    }
  return undefined;
}

/** An answer by a schema. `read` says undefined of what does not fit; the model is then asked once more. */
export async function askForJson<T>(
  ask: AskModel,
  context: NodeContext,
  question: Model & { system: string; text: string; json_schema: Record<string, unknown> },
  read: (answer: unknown) => T | undefined,
): Promise<T> {
  const system = `${question.system}\nAnswer with JSON of this schema alone:\n${JSON.stringify(question.json_schema)}`;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { text } = await askLanguageModel(ask, context, { ...question, system });
    const answer = read(jsonIn(text));
    if (answer !== undefined) return answer;
    context.log('The model did not answer in the asked form');
  }
  throw new NodeFailure('bad_answer', 'The model did not answer in the asked form');
}
