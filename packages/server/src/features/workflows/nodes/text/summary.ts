import { askLanguageModel, lowTemperatureModelFields } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

const inputs = [plain('input', { label: 'Text' })];
const outputs = [plain('output', { label: 'Summary' })];
const task = 'You summarize texts. Say only what stands in the text, in its language, without a word about your task.';

export const makeSummaryNodes = (ask: AskModel) => [
  defineNode({
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
    async run(context, { input }, { summary_format, summary_topic, ...model }) {
      const topic = summary_topic ? ` Only what the text says about: ${summary_topic}.` : '';
      const system = `${task} The form: ${summary_format}.${topic}`;
      return { output: (await askLanguageModel(ask, context, { ...model, system, text: String(input) })).text };
    },
  }),
  defineNode({
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
    async run(context, { input }, { max_length, ...model }) {
      const text = String(input);
      // A text that is short enough is its own summary.
      if (text.length <= max_length) return { output: text };
      const system = `${task} At most ${max_length} characters.`;
      const { text: said } = await askLanguageModel(ask, context, { ...model, system, text });
      return { output: shortened(said.trim(), max_length) };
    },
  }),
];

/** What a model says at more length than it was asked to ends at a sentence, or else at a word. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? '));
  if (sentence > most / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return `${head.slice(0, word > most / 2 ? Math.min(word, most - 1) : most - 1).toWellFormed()}…`;
}
