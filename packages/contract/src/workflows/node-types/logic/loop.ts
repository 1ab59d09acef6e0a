import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const loopNodeType = nodeType({
  type: 'LoopNode',
  title: 'Loop over list',
  description: 'Runs a part of the workflow for each item of a list.',
  category: 'logic',
  inputs: [
    plain('list', { data_type: 'list' }),
    plain('result', { data_type: 'Custom', optional: true, label: 'Result of one round' }),
  ],
  outputs: [
    plain('results', { data_type: 'list' }),
    plain('item', { data_type: 'Custom' }),
    plain('index', { data_type: 'Custom' }),
    plain('errors', { data_type: 'list' }),
  ],
  config: {
    max_items: c.int({ min: 1, max: 10_000, default: 1000, description: 'A longer list fails' }),
    at_once: c.int({ min: 1, max: 10, default: 1, description: 'How many rounds run side by side' }),
    continue_on_error: c.bool({ default: false, description: 'Whether the others go on when a round fails' }),
  },
  body: { starts: ['item', 'index'], result: 'result' },
  example: { max_items: 200, at_once: 5 },
});
