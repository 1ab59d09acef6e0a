import { askLanguageModel, lowTemperatureModelFields } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

export const makeTranslateNode = (ask: AskModel) =>
  defineNode({
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
    async run(context, { input }, { language, instructions, ...model }) {
      const system = `You translate texts to ${language}. Keep their form; answer with the translation alone. ${instructions}`;
      return { output: (await askLanguageModel(ask, context, { ...model, system, text: String(input) })).text };
    },
  });
