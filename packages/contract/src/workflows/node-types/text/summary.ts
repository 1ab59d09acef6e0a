import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { lowTemperatureModelFields } from '../model-fields.ts';
import { nodeType } from '../node-type.ts';

const inputs = [plain('input', { label: 'Text' })];

const outputs = [plain('output', { label: 'Summary' })];

export const summaryNodeType = nodeType({
  type: 'SummaryNode',
  title: 'Summarise',
  description: 'Says shortly what a long text says.',
  category: 'ai_text',
  inputs,
  outputs,
  config: {
    summary_format: c.text({
      default: 'Concise',
      description: 'How the summary is written: Concise, Detailed, Bullet points, or in words of your own',
    }),
    summary_topic: c.template({ default: '', description: 'What the summary is to be about; everything when empty' }),
    ...lowTemperatureModelFields,
  },
  example: { summary_format: 'Bullet points', summary_topic: 'open questions' },
});

export const textSummarizationNodeType = nodeType({
  type: 'TextSummarizationNode',
  title: 'Shorten',
  description: 'A summary that is not longer than asked for.',
  category: 'ai_text',
  inputs,
  outputs,
  config: {
    max_length: c.int({ min: 10, max: 100_000, default: 1000, description: 'The most characters of the summary' }),
    ...lowTemperatureModelFields,
  },
  example: { max_length: 280 },
});
