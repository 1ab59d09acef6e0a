import { type Extract, NotExtractable } from '../../../../drivers/extractors/driver.ts';
import type { Files } from '../../../files/service.ts';
import { requirePermission, told } from '../../node-services/rethrow-as-node-failure.ts';
import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode, NodeFailure } from '../../node-types/define-node.ts';
import { fileIdOf } from './file-input.ts';

/** The same extractors as those of messages and knowledge bases. */
export const makeFileTextNode = ({ files, extract }: { files: Pick<Files, 'get' | 'read'>; extract: Extract }) =>
  defineNode({
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
    async run({ scope, signal, log }, { file }, { max_characters: max_chars }) {
      requirePermission(scope, 'files_read');
      const id = fileIdOf(file);
      const { filename, content_type } = await told(files.get(scope, id));
      try {
        const content = await told(files.read(scope, id));
        const { text, warnings } = await extract(content, { filename, content_type, max_chars, signal });
        for (const warning of warnings) log(warning);
        return { output: text };
      } catch (error) {
        if (error instanceof NotExtractable)
          throw new NodeFailure(error.code, `${filename}: ${error.message}`, { passing: error.code === 'too_slow' });
        throw error;
      }
    },
  });
