import { dispatch } from '../dispatch.ts';
import type { Extract, Extractor } from '../driver.ts';
import { binaryTypes } from '../file-kinds.ts';

const lazily = (types: readonly string[], load: () => Promise<Extractor['extract']>): Extractor => ({
  types,
  extract: async (content, options) => (await load())(content, options),
});

/** What the process that reads files can read; each reader is loaded when the first such file comes. */
export function readers(): Extract {
  const extract: Extract = dispatch([
    lazily(binaryTypes.pdf, async () => (await import('../pdf/pdf.ts')).extractPdf),
    lazily(binaryTypes.docx, async () => (await import('../office/docx.ts')).extractDocx),
    lazily(binaryTypes.pptx, async () => (await import('../office/pptx.ts')).extractPptx),
    lazily(binaryTypes.xlsx, async () => (await import('../office/xlsx.ts')).extractXlsx),
    lazily(binaryTypes.image, async () => (await import('../image/image.ts')).extractImage),
    lazily(binaryTypes.eml, async () => (await import('../mail.ts')).mailReader(extract)),
  ]);
  return extract;
}
