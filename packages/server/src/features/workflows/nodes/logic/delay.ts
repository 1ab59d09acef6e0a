import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode, waitUntil } from '../../node-types/define-node.ts';

export const delayNode = defineNode({
  type: 'DelayNode',
  title: 'Delay',
  description: 'Waits for a while and then hands its value on.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true })],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: { seconds: c.number({ min: 0, max: 31_536_000, default: 1, description: 'How many seconds' }) },
  async run({ resumed }, { value = null }, { seconds }) {
    return resumed ? { output: value } : waitUntil(Date.now() + seconds * 1000);
  },
});
