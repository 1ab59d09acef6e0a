import { type Extract, type Extractor, NotExtractable } from '../driver.ts';
import { dispatchByType } from '../extract.ts';
import { binaryTypes } from '../file-types.ts';

const lazily = (types: readonly string[], load: () => Promise<Extractor['extract']>): Extractor => ({
  types,
  async extract(content, options) {
    try {
      const extract = await load();
      return await extract(content, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof NotExtractable) throw error;
      // What a library says may hold pieces of the file.
      throw new NotExtractable('unreadable', 'it is damaged, or not what it seems to be');
    }
  },
});

/** What the process that reads files can read; each reader is loaded when the first such file comes. */
export function readers(): Extract {
  const extract: Extract = dispatchByType([
    lazily(binaryTypes.pdf, async () => (await import('../pdf/pdf.ts')).extractPdf),
    lazily(binaryTypes.docx, async () => (await import('../office/docx.ts')).extractDocx),
    lazily(binaryTypes.pptx, async () => (await import('../office/pptx.ts')).extractPptx),
    lazily(binaryTypes.xlsx, async () => (await import('../office/xlsx.ts')).extractXlsx),
    lazily(binaryTypes.image, async () => (await import('../image/image.ts')).extractImage),
    lazily(binaryTypes.eml, async () => (await import('../mail.ts')).mailReader(extract)),
  ]);
  return extract;
}
