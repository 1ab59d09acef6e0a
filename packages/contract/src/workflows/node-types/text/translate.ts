import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { lowTemperatureModelFields } from '../model-fields.ts';
import { nodeType } from '../node-type.ts';

export const translateNodeType = nodeType({
  type: 'TranslateNode',
  title: 'Translate',
  description: 'Says a text in another language.',
  category: 'ai_text',
  inputs: [plain('input', { label: 'Text' })],
  outputs: [plain('output', { label: 'Translation' })],
  config: {
    language: c.template({ description: 'The language to translate to, as "French"' }),
    instructions: c.template({ default: '', description: 'The tone, names that stay as they are' }),
    ...lowTemperatureModelFields,
  },
  example: { language: 'French' },
});
