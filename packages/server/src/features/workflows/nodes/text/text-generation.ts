import { type AskModel, modelFields } from '../../node-services/ask-model.ts';
import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

export const makeTextGenerationNode = (ask: AskModel) =>
  defineNode({
    type: 'TextGenerationNode',
    title: 'Generate text',
    description: 'Has a language model write a text by a prompt.',
    category: 'ai_text',
    inputs: [keyed('variables', { optional: true })],
    outputs: [plain('output')],
    config: {
      template: c.template({ description: 'The prompt, with ((Key)) where a value belongs' }),
      label: c.text({ default: '', description: 'What the step is called' }),
      system: c.template({
        default: '',
        advanced: true,
        description: 'What the model is told about its task beforehand',
      }),
      ...modelFields,
    },
    run: async (context, _, { template, system, ...model }) => ({
      output: (await ask(context, { ...model, system, text: template })).text,
    }),
  });
