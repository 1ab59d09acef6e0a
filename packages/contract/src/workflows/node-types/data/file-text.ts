import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const fileTextNodeType = nodeType({
  type: 'FileTextNode',
  title: 'Text of a file',
  description: 'Reads the text out of a document, a table, a presentation or a mail.',
  category: 'data',
  inputs: [plain('file', { data_type: 'File' })],
  outputs: [plain('output')],
  config: {
    max_characters: c.int({
      min: 1,
      max: 1_000_000,
      default: 200_000,
      description: 'How much of the text is wanted at most',
    }),
  },
  example: { max_characters: 50_000 },
});
