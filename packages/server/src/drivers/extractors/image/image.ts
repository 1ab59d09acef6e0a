import { makeDocument } from '../document-writer.ts';
import type { Extracted, ExtractOptions } from '../driver.ts';
import { wholeOf } from '../read-all-bytes.ts';
import { makeOcr } from './ocr.ts';

/** Images: the text in them where OCR is on, else no more than their name. */
export async function extractImage(content: AsyncIterable<Uint8Array>, options: ExtractOptions): Promise<Extracted> {
  const { filename, content_type, max_chars, signal } = options;
  const bytes = await wholeOf(content, signal);
  const document = makeDocument(max_chars);
  if (options.images) document.image({ name: filename, content_type, data: new Uint8Array(bytes), alt: '' });
  const choice = options.image_ocr ?? options.ocr;
  if (!choice?.enabled) {
    document.add('image', filename, { mark: 'Image: ' });
    document.warn('The text in the image was not read: OCR is off.');
    return document.end();
  }
  const ocr = makeOcr(choice, options.ocr_data);
  try {
    const { text, warnings } = await ocr.read(bytes);
    for (const paragraph of text.split('\n\n')) document.add('paragraph', paragraph);
    for (const warning of warnings) document.warn(warning);
    if (text === '') document.warn('No text was found in the image.');
    return document.end();
  } finally {
    await ocr.end();
  }
}
