import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const textSplitterNodeType = nodeType({
  type: 'TextSplitterNode',
  title: 'Split text',
  description: 'Cuts a long text into pieces.',
  category: 'data',
  inputs: [plain('input', { label: 'Text' })],
  outputs: [plain('output', { label: 'Pieces', data_type: 'list' })],
  config: {
    chunk_size: c.int({ min: 20, max: 100_000, default: 1000, description: 'The most characters of a piece' }),
    overlap: c.int({ min: 0, max: 50_000, default: 0, description: 'How many characters two pieces share' }),
  },
  example: { chunk_size: 2000, overlap: 200 },
});
