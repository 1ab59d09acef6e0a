import * as s from '@atrium/contract/schema/schema.ts';
import { extractDataNodeType, type FieldToExtract } from '@atrium/contract/workflows/node-types/text/extract-data.ts';
import { z } from 'zod';
import { askForJson } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { defineNode } from '../define-node.ts';

/** The JSON schema of each type and its parser; models sometimes write a number as text. */
const kinds = {
  text: { json: { type: 'string' }, read: s.str() },
  number: { json: { type: 'number' }, read: s.number() },
  boolean: { json: { type: 'boolean' }, read: s.bool() },
  list: { json: { type: 'array', items: { type: 'string' } }, read: s.list(s.str()) },
} as const;

/** Reads the requested fields from an answer: missing ones are null, others are left out. */
function readFields(fields: readonly FieldToExtract[], answer: unknown): Record<string, unknown> | undefined {
  const parsed = z.record(z.string(), z.unknown()).safeParse(answer);
  if (!parsed.success) return undefined;
  const found: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const value = parsed.data[name] ?? null;
    const read = value === null ? undefined : kinds[type].read.safeParse(value);
    if (read && !read.success) return undefined;
    found[name] = read?.data ?? null;
  }
  return found;
}

export const makeExtractDataNode = (ask: AskModel) =>
  defineNode(extractDataNodeType, async (context, { input }, { fields, instructions, ...model }) => {
    const properties = Object.fromEntries(
      fields.map(({ name, type, description }) => {
        const { json } = kinds[type];
        return [name, { ...json, type: [json.type, 'null'], description }];
      }),
    );
    const required = fields.map(({ name }) => name);
    const json_schema = { type: 'object', properties, required, additionalProperties: false };
    const system = `You find information in a text. What it does not say is null; nothing is guessed. ${instructions}`;
    const question = { ...model, system, text: String(input), json_schema };
    return { output: await askForJson(ask, context, question, (answer) => readFields(fields, answer)) };
  });
