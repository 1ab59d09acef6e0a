import * as canvasLibrary from '@napi-rs/canvas';
import { createIsomorphicCanvasFactory } from 'unpdf';
import { NotExtractable } from '../extractors/driver.ts';
import { openPdf } from '../extractors/pdf/open-pdf.ts';
import { encodePreview, mostHeight } from './draw-image.ts';
import type { DrawOptions } from './draw-preview.ts';
import { type Preview, saysPages } from './driver.ts';

/** Draws a page of a PDF. Fonts that the file does not bring are taken from the machine. */
export async function drawPdf(bytes: Buffer, { page: number, width }: DrawOptions): Promise<Preview> {
  const CanvasFactory = await createIsomorphicCanvasFactory(async () => canvasLibrary as never);
  const pdf = await openPdf(bytes, { CanvasFactory, useSystemFonts: true });
  try {
    if (number > pdf.numPages) throw new NotExtractable('no_page', saysPages(pdf.numPages));
    const page = await pdf.getPage(number);
    const whole = page.getViewport({ scale: 1 });
    const scale = Math.min(width / whole.width, mostHeight / whole.height);
    const viewport = page.getViewport({ scale });
    const drawn = canvasLibrary.createCanvas(
      Math.max(1, Math.round(viewport.width)),
      Math.max(1, Math.round(viewport.height)),
    );
    const context = drawn.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, drawn.width, drawn.height);
    await page.render({ canvas: drawn as never, canvasContext: context as never, viewport }).promise;
    return await encodePreview(drawn, pdf.numPages);
  } finally {
    await pdf.cleanup().catch(() => {});
  }
}
