import type { EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import { type PiiEntity, piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import type { FindPii } from '../../pii/ports.ts';
import { anonymize } from '../../pii/service.ts';

/** Entities that a question needs and that identify no person: replaced only where the agent anonymizes them too. */
const neededByQuestions: readonly PiiEntity[] = ['DATE_TIME', 'LOCATION', 'URL'];
const longest = 20_000;

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Replaces personal data in texts, and in JSON values. */
export function makeCleaner(findPii: FindPii, alsoHidden: ReadonlySet<string> = new Set()) {
  const replaced = piiEntities.filter((entity) => alsoHidden.has(entity) || !neededByQuestions.includes(entity));
  const text = async (given: string) =>
    anonymize(given.slice(0, longest), await findPii(given.slice(0, longest), replaced));
  return { text, json: async (given: string) => parseJsonOrText(await text(given)) };
}

/** A case with placeholders in place of personal data, in every text that it has. */
export async function replacePersonalData(findPii: FindPii, one: EvaluationCase): Promise<EvaluationCase> {
  const clean = makeCleaner(findPii);
  const cleanAll = (texts: readonly string[]) => Promise.all(texts.map(clean.text));
  const cleanValue = async (value: unknown) =>
    value === undefined ? undefined : clean.json(typeof value === 'string' ? value : JSON.stringify(value));
  return {
    ...one,
    ...(one.name !== undefined && { name: await clean.text(one.name) }),
    messages: await cleanAll(one.messages),
    ...(one.expected !== undefined && { expected: await clean.text(one.expected) }),
    ...(one.criteria !== undefined && { criteria: await clean.text(one.criteria) }),
    ...(one.citations !== undefined && { citations: await cleanAll(one.citations) }),
    ...(one.tools !== undefined && {
      tools: await Promise.all(
        one.tools.map(async (call) => ({
          ...call,
          input: await cleanValue(call.input),
          output: await cleanValue(call.output),
        })),
      ),
    }),
  };
}
