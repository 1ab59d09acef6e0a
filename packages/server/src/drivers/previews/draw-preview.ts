import { NotExtractable } from '../extractors/driver.ts';
import { binaryTypes } from '../extractors/file-types.ts';
import { wholeOf } from '../extractors/read-all-bytes.ts';
import { type Preview, type PreviewRequest, saysPages } from './driver.ts';

export type DrawOptions = Omit<PreviewRequest, 'signal'>;

/** Draws a preview of a file; runs in a process of its own. */
export async function drawPreview(content: AsyncIterable<Uint8Array>, options: PreviewRequest): Promise<Preview> {
  const { content_type, page, signal } = options;
  const bytes = await wholeOf(content, signal);
  try {
    if (content_type === binaryTypes.pdf[0]) return await (await import('./draw-pdf.ts')).drawPdf(bytes, options);
    if (page !== 1) throw new NotExtractable('no_page', saysPages(1));
    if (content_type.startsWith('image/'))
      return await (await import('./draw-image.ts')).drawImage(bytes, options.width);
    return await (await import('./draw-office.ts')).drawOffice(bytes, options);
  } catch (error) {
    if (error instanceof NotExtractable) throw error;
    // What a library says may hold pieces of the file.
    throw new NotExtractable('unreadable', 'it is damaged, or not what it seems to be');
  }
}
