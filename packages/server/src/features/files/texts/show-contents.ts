import { conflict } from '@atrium/contract/errors.ts';
import { hasPages, isCut, NotExtractable } from '../../../drivers/extractors/driver.ts';
import type { FileTexts, ShowContents } from '../ports.ts';
import type { Files } from '../service.ts';

const noPreview = (reason: string) => conflict(`There is nothing to show of this file: ${reason}`, 'no_preview');

export const makeShowContents =
  ({ files, texts }: { files: Pick<Files, 'get'>; texts: FileTexts }): ShowContents =>
  async (scope, file_id) => {
    const file = await files.get(scope, file_id);
    if (!hasPages(file)) throw noPreview(`it is ${file.content_type}`);
    try {
      const read = await texts(scope, file);
      const { pages, warnings, outline } = read;
      return { title: outline.title, pages, warnings, complete: read.pages_complete && !isCut(read) };
    } catch (error) {
      if (error instanceof NotExtractable) throw noPreview(error.message);
      throw error;
    }
  };
