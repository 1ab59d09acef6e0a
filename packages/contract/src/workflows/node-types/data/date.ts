import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const dateUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const;

export const dateNodeType = nodeType({
  type: 'DateNode',
  title: 'Date',
  description: 'Now, a date later or earlier, the time between two dates, or a date in words.',
  category: 'data',
  inputs: [plain('date', { optional: true }), plain('until', { optional: true })],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: {
    operation: c.choice(['add', 'difference', 'format'], {
      default: 'add',
      description: 'Add an amount to the date; how much lies between it and `until`; or write it for people',
    }),
    amount: c.number({ min: -1_000_000, max: 1_000_000, default: 0, description: 'How much to add' }),
    unit: c.choice(dateUnits, { default: 'days', description: 'The unit of the amount' }),
    time_zone: c.text({ default: 'UTC', max: 100, description: 'Where people read it, as Europe/Paris' }),
    language: c.text({ default: 'en', max: 35, description: 'The language it is written in' }),
    style: c.choice(['short', 'medium', 'long', 'full'], { default: 'medium', description: 'At what length' }),
  },
  example: { operation: 'add', amount: 14, unit: 'days' },
});
