import { evaluateText, type Names } from '@atrium/contract/expressions/evaluate.ts';
import { functions, isDict, listFunctions } from '@atrium/contract/expressions/functions.ts';
import { ExpressionError } from '@atrium/contract/expressions/tokens.ts';
import type { ExpressionEvaluate, ExpressionTrial } from '@atrium/contract/workflows/trial-schema.ts';

type Completion = ExpressionTrial['completions'][number];

const mostCompletions = 100;
/** The longest path before the cursor that is looked at. */
const longestPath = 300;
const pathEnd = /[\p{L}\p{N}_$.[\]]*$/u;
const wordEnd = /[\p{L}\p{N}_$]*$/u;

/** The keys of the value that a path such as `rows[0].customer` leads to. */
function keysAt(path: string, sample: Names): string[] {
  try {
    const value = evaluateText(path, sample);
    if (isDict(value)) return Object.keys(value);
    return Array.isArray(value) || typeof value === 'string' ? ['length'] : [];
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

function completionsAt(before: string, sample: Names): { word: string; completions: Completion[] } {
  const path = pathEnd.exec(before.slice(-longestPath))?.[0] ?? '';
  const word = wordEnd.exec(path)?.[0] ?? '';
  const of = path.slice(0, path.length - word.length);
  const all: Completion[] = of.endsWith('.')
    ? keysAt(of.slice(0, -1), sample).map((text) => ({ text, kind: 'key' }))
    : [
        ...Object.keys(sample).map((text): Completion => ({ text, kind: 'name' })),
        ...[...Object.keys(functions), ...listFunctions].map((text): Completion => ({ text, kind: 'function' })),
      ];
  const fits = ({ text }: Completion) => text !== word && text.toLowerCase().startsWith(word.toLowerCase());
  return { word, completions: all.filter(fits).slice(0, mostCompletions) };
}

/** Evaluates an expression with a sample; the parser and the limits are those of runs. */
export function tryExpression({ expression, sample, cursor = expression.length }: ExpressionEvaluate): ExpressionTrial {
  const before = expression.slice(0, cursor);
  const { word, completions } = completionsAt(before, sample);
  const place = { completions, replace_from: before.length - word.length };
  try {
    return { value: evaluateText(expression, sample), error: null, ...place };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { value: null, error: { message: error.message, at: error.at ?? null }, ...place };
  }
}
