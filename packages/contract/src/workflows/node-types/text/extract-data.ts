import type * as z from 'zod';
import * as s from '../../../schema/schema.ts';
import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { lowTemperatureModelFields } from '../model-fields.ts';
import { nodeType } from '../node-type.ts';

const kindNames = ['text', 'number', 'boolean', 'list'] as const;

const fieldToExtract = s.object({
  name: s.str({ min: 1, max: 100 }).describe('The name of the value in the result.'),
  type: s.withDefault(s.oneOf(kindNames), 'text').describe('The type of the value.'),
  description: s.withDefault(s.str({ max: 1000 }), '').describe('What the value is, as the model is told.'),
});

export type FieldToExtract = z.output<typeof fieldToExtract>;

export const extractDataNodeType = nodeType({
  type: 'ExtractDataNode',
  title: 'Extract data',
  description: 'Finds given pieces of information in a text.',
  category: 'ai_text',
  inputs: [plain('input', { label: 'Text' })],
  outputs: [plain('output', { label: 'Data', data_type: 'dict' })],
  config: {
    fields: c.list(fieldToExtract as z.ZodType<FieldToExtract>, {
      min: 1,
      max: 100,
      description: 'What to find: {"name": "total", "type": "text, number, boolean or list", "description": "…"}',
    }),
    instructions: c.template({ default: '', description: 'What else there is to know about the text' }),
    ...lowTemperatureModelFields,
  },
  example: { fields: [{ name: 'total', type: 'number', description: 'The sum to be paid' }] },
});
