import * as s from '../../../schema/schema.ts';
import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { lowTemperatureModelFields } from '../model-fields.ts';
import { nodeType } from '../node-type.ts';

export const classifyNodeType = nodeType({
  type: 'ClassifyNode',
  title: 'Classify',
  description: 'Says which of several categories a text belongs to. A Switch behind it goes the way of each.',
  category: 'ai_text',
  inputs: [plain('input', { label: 'Text' })],
  outputs: [plain('output', { label: 'Category' })],
  config: {
    categories: c.list(s.str({ min: 1, max: 200 }), { min: 1, max: 100, description: 'The categories there are' }),
    instructions: c.template({ default: '', description: 'How they are told apart' }),
    ...lowTemperatureModelFields,
  },
  example: { categories: ['Billing', 'Delivery', 'Other'], instructions: 'Delivery is all about parcels.' },
});

export const sentimentAnalysisNodeType = nodeType({
  type: 'SentimentAnalysisNode',
  title: 'Sentiment',
  description: 'Says whether a text is positive, neutral or negative, and how much so.',
  category: 'ai_text',
  inputs: [plain('input', { label: 'Text' })],
  outputs: [plain('output', { label: 'Sentiment', data_type: 'dict' })],
  config: { ...lowTemperatureModelFields },
  example: {},
});
