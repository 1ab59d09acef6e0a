import { chunk } from '../../../chunking/service.ts';
import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode, NodeFailure } from '../../node-types/define-node.ts';

/** Cuts where knowledge bases do: at paragraphs, else sentences, else words. */
export const textSplitterNode = defineNode({
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
  async run(_, { input }, { chunk_size: size, overlap }) {
    if (overlap >= size)
      throw new NodeFailure('bad_config', 'Pieces must share less than their size', { passing: false });
    return { output: chunk({ text: String(input), blocks: [] }, { size, overlap }).map(({ content }) => content) };
  },
});
