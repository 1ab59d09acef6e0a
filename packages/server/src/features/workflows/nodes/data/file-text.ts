import { fileTextNodeType } from '@atrium/contract/workflows/node-types/data/file-text.ts';
import { type Extract, NotExtractable } from '../../../../drivers/extractors/driver.ts';
import type { Files } from '../../../files/service.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';
import { fileIdOf } from './file-input.ts';

/** Uses the same extractors as messages and knowledge bases. */
export const makeFileTextNode = ({ files, extract }: { files: Pick<Files, 'get' | 'read'>; extract: Extract }) =>
  defineNode(fileTextNodeType, async ({ scope, signal, log }, { file }, { max_characters: max_chars }) => {
    requirePermission(scope, 'files_read');
    const id = fileIdOf(file);
    const { filename, content_type } = await rethrowAsNodeFailure(files.get(scope, id));
    try {
      const content = await rethrowAsNodeFailure(files.read(scope, id));
      const { text, warnings } = await extract(content, { filename, content_type, max_chars, signal });
      for (const warning of warnings) log(warning);
      return { output: text };
    } catch (error) {
      if (error instanceof NotExtractable)
        throw new NodeFailure(error.code, `${filename}: ${error.message}`, { passing: error.code === 'too_slow' });
      throw error;
    }
  });
