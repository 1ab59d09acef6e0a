import { classifyNodeType, sentimentAnalysisNodeType } from '@atrium/contract/workflows/node-types/text/classify.ts';
import { askForJson } from '../../node-services/ask-language-model.ts';
import type { AskModel } from '../../node-services/ask-model.ts';
import { defineNode } from '../define-node.ts';

const field = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[name] : undefined;

export const makeClassifyNode = (ask: AskModel) =>
  defineNode(classifyNodeType, async (context, { input }, { categories, instructions, ...model }) => {
    const json_schema = {
      type: 'object',
      properties: { category: { type: 'string', enum: categories } },
      required: ['category'],
      additionalProperties: false,
    };
    const system = `You say which category a text belongs to. ${instructions}`;
    const read = (answer: unknown) => {
      const said = String(field(answer, 'category')).trim().toLowerCase();
      return categories.find((category) => category.trim().toLowerCase() === said);
    };
    return { output: await askForJson(ask, context, { ...model, system, text: String(input), json_schema }, read) };
  });

const moods = ['positive', 'neutral', 'negative'] as const;

export const makeSentimentNode = (ask: AskModel) =>
  defineNode(sentimentAnalysisNodeType, async (context, { input }, model) => {
    const json_schema = {
      type: 'object',
      properties: { sentiment: { type: 'string', enum: moods }, score: { type: 'number', minimum: -1, maximum: 1 } },
      required: ['sentiment', 'score'],
      additionalProperties: false,
    };
    const system = 'You say how a text is meant: the sentiment, and a score from -1 (very negative) to 1.';
    const read = (answer: unknown) => {
      const sentiment = moods.find((mood) => mood === field(answer, 'sentiment'));
      const score = field(answer, 'score');
      return sentiment && typeof score === 'number' && Math.abs(score) <= 1 ? { sentiment, score } : undefined;
    };
    return { output: await askForJson(ask, context, { ...model, system, text: String(input), json_schema }, read) };
  });
