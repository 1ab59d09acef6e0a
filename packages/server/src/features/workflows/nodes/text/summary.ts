import { summaryNodeType, textSummarizationNodeType } from '@atrium/contract/workflows/node-types/text/summary.ts';
import { askLanguageModel } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { defineNode } from '../define-node.ts';

const task = 'You summarize texts. Say only what stands in the text, in its language, without a word about your task.';

export const makeSummaryNode = (ask: AskModel) =>
  defineNode(summaryNodeType, async (context, { input }, { summary_format, summary_topic, ...model }) => {
    const topic = summary_topic ? ` Only what the text says about: ${summary_topic}.` : '';
    const system = `${task} The form: ${summary_format}.${topic}`;
    return { output: (await askLanguageModel(ask, context, { ...model, system, text: String(input) })).text };
  });

export const makeTextSummarizationNode = (ask: AskModel) =>
  defineNode(textSummarizationNodeType, async (context, { input }, { max_length, ...model }) => {
    const text = String(input);
    // A text that is short enough needs no summary.
    if (text.length <= max_length) return { output: text };
    const system = `${task} At most ${max_length} characters.`;
    const { text: said } = await askLanguageModel(ask, context, { ...model, system, text });
    return { output: shortenText(said.trim(), max_length) };
  });

/** Cuts a text that is too long at the end of a sentence, or else of a word. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? '));
  if (sentence > most / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return `${head.slice(0, word > most / 2 ? Math.min(word, most - 1) : most - 1).toWellFormed()}…`;
}
