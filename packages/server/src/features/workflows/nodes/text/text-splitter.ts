import { textSplitterNodeType } from '@atrium/contract/workflows/node-types/text/text-splitter.ts';
import { chunk } from '../../../chunking/service.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

/** Splits like knowledge bases do: at paragraphs, else sentences, else words. */
export const textSplitterNode = defineNode(
  textSplitterNodeType,
  async (_, { input }, { chunk_size: size, overlap }) => {
    if (overlap >= size)
      throw new NodeFailure('bad_config', 'Pieces must share less than their size', { passing: false });
    return { output: chunk({ text: String(input), blocks: [] }, { size, overlap }).map(({ content }) => content) };
  },
);
