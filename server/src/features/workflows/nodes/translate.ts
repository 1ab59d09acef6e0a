import type { AskModel } from '../ask-model.ts';
import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { defineNode } from '../node.ts';
import { askLanguageModel, carefulModelFields } from './language-model.ts';

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
      ...carefulModelFields,
    },
    async run(context, { input }, { language, instructions, ...model }) {
      const system = `You translate texts to ${language}. Keep their form; answer with the translation alone. ${instructions}`;
      return { output: (await askLanguageModel(ask, context, { ...model, system, text: String(input) })).text };
    },
  });
