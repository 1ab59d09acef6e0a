import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode, forEach, NodeFailure } from '../../node-types/define-node.ts';

/** Runs what hangs on `item` and `index` for each item of a list; what leads back into `result` is gathered. */
export const loopNode = defineNode({
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
  async run({ resumed }, { list }, { max_items, at_once, continue_on_error }) {
    if (resumed?.for === 'each') return { results: resumed.results, errors: resumed.errors };
    const items = list as unknown[];
    if (items.length > max_items)
      throw new NodeFailure('too_many_items', `The list has ${items.length} items, ${max_items} are allowed`, {
        passing: false,
      });
    return forEach({ items, at_once, continue_on_error });
  },
});
