import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import { NotExtractable } from '../extractors/driver.ts';
import { countPixels } from '../extractors/image/pixel-count.ts';
import type { Preview } from './driver.ts';

const [mostPixels, quality] = [40_000_000, 80];
/** In pixels: a page that is far higher than wide stays small. */
export const mostHeight = 4000;

export async function encodePreview(canvas: Canvas, pages: number): Promise<Preview> {
  const data = new Uint8Array(await canvas.encode('webp', quality));
  return { data, width: canvas.width, height: canvas.height, pages };
}

/** Draws an image smaller. Only formats whose head says how many pixels there are: vector images are none of them. */
export async function drawImage(bytes: Buffer, width: number): Promise<Preview> {
  const pixels = countPixels(bytes);
  if (pixels === undefined) throw new NotExtractable('unreadable', 'it is damaged, or no image');
  if (pixels > mostPixels) throw new NotExtractable('too_large', 'it has too many pixels');
  const image = await loadImage(bytes);
  const scale = Math.min(1, width / image.width, mostHeight / image.height);
  const [across, down] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = createCanvas(across ?? 1, down ?? 1);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return encodePreview(canvas, 1);
}
