import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const delayNodeType = nodeType({
  type: 'DelayNode',
  title: 'Delay',
  description: 'Waits for a while and then hands its value on.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true })],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: { seconds: c.number({ min: 0, max: 31_536_000, default: 1, description: 'How many seconds' }) },
  example: { seconds: 3600 },
});
