import type { NodeContext } from '../nodes/define-node.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import { type AskModel, isBuiltIn, needsLanguageModel, type Question } from './ask-model.ts';

type Model = Pick<Question, 'model' | 'temperature' | 'max_tokens' | 'anonymize'>;

/** Refuses answers of the built-in model: it finds and quotes, and can neither summarize nor judge. */
export async function askLanguageModel(ask: AskModel, context: NodeContext, question: Question) {
  const answer = await ask(context, question);
  if (isBuiltIn(answer.model)) throw needsLanguageModel();
  return answer;
}

/** Finds JSON in an answer; models sometimes put it into fences or sentences. */
function jsonIn(text: string): unknown {
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  for (const piece of [text, from < 0 ? '' : text.slice(from, to + 1)])
    try {
      return JSON.parse(piece);
    } catch {
      // Not JSON: try the next piece.
    }
  return undefined;
}

/** Asks for JSON of a schema. When `read` returns undefined for an answer, the model is asked once more. */
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
