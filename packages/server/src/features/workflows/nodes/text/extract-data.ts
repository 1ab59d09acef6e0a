import * as s from '@atrium/contract/schema/schema.ts';
import { z } from 'zod';
import { askForJson, lowTemperatureModelFields } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

/** Each kind as it is asked for, and as it is read: models write a number as text now and then. */
const kinds = {
  text: { json: { type: 'string' }, read: s.str() },
  number: { json: { type: 'number' }, read: s.number() },
  boolean: { json: { type: 'boolean' }, read: s.bool() },
  list: { json: { type: 'array', items: { type: 'string' } }, read: s.list(s.str()) },
} as const;
const kindNames = ['text', 'number', 'boolean', 'list'] as const;

const wanted = s.object({
  name: s.str({ min: 1, max: 100 }),
  type: s.withDefault(s.oneOf(kindNames), 'text'),
  description: s.withDefault(s.str({ max: 1000 }), ''),
});
type Wanted = z.output<typeof wanted>;

/** The fields as they were asked for: what the text does not say is null, what nobody asked for is left out. */
function readFields(fields: readonly Wanted[], answer: unknown): Record<string, unknown> | undefined {
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
  defineNode({
    type: 'ExtractDataNode',
    title: 'Extract data',
    description: 'Finds given pieces of information in a text.',
    category: 'ai_text',
    inputs: [plain('input', { label: 'Text' })],
    outputs: [plain('output', { label: 'Data', data_type: 'dict' })],
    config: {
      fields: c.list(wanted as z.ZodType<Wanted>, {
        min: 1,
        max: 100,
        description: 'What to find: {"name": "total", "type": "text, number, boolean or list", "description": "…"}',
      }),
      instructions: c.template({ default: '', description: 'What else there is to know about the text' }),
      ...lowTemperatureModelFields,
    },
    async run(context, { input }, { fields, instructions, ...model }) {
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
    },
  });
