import { textGenerationNodeType } from '@atrium/contract/workflows/node-types/text/text-generation.ts';
import { readMarks } from '../../../../lib/text/covered-text.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { defineNode } from '../define-node.ts';

export const makeTextGenerationNode = (ask: AskModel) =>
  defineNode(
    textGenerationNodeType,
    async (context, _, { template, system, ...model }) => ({
      output: (await ask(context, { ...model, system, text: readMarks(template) })).text,
    }),
    { prompts: ['template', 'system'] },
  );
