import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { modelFields } from '../model-fields.ts';
import { nodeType } from '../node-type.ts';

export const textGenerationNodeType = nodeType({
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
  example: { template: 'Write a friendly reply to this letter:\n((Letter))' },
});
