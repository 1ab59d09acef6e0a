import { translateNodeType } from '@atrium/contract/workflows/node-types/text/translate.ts';
import { askLanguageModel } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { defineNode } from '../define-node.ts';

export const makeTranslateNode = (ask: AskModel) =>
  defineNode(translateNodeType, async (context, { input }, { language, instructions, ...model }) => {
    const system = `You translate texts to ${language}. Keep their form; answer with the translation alone. ${instructions}`;
    return { output: (await askLanguageModel(ask, context, { ...model, system, text: String(input) })).text };
  });
