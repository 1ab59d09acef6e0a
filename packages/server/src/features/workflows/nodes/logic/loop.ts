import { loopNodeType } from '@atrium/contract/workflows/node-types/logic/loop.ts';
import { defineNode } from '../define-node.ts';
import { forEach } from '../engine-request.ts';
import { NodeFailure } from '../node-failure.ts';

/** Runs the nodes behind `item` and `index` for each item of a list and collects the values of `result`. */
export const loopNode = defineNode(
  loopNodeType,
  async ({ resumed }, { list }, { max_items, at_once, continue_on_error }) => {
    if (resumed?.for === 'each') return { results: resumed.results, errors: resumed.errors };
    const items = list as unknown[];
    if (items.length > max_items)
      throw new NodeFailure('too_many_items', `The list has ${items.length} items, ${max_items} are allowed`, {
        passing: false,
      });
    return forEach({ items, at_once, continue_on_error });
  },
);
