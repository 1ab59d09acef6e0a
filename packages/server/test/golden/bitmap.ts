import { encodePng } from '../../src/drivers/extractors/image/encode-png.ts';

/** Letters of five by seven dots, a row of dots as five bits. */
const letters: Record<string, number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  N: [17, 25, 21, 21, 21, 19, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  ' ': [0, 0, 0, 0, 0, 0, 0],
};

const dot = 6;

/** Black letters on white, with soft edges as scanners make them. */
export function drawn(texts: string[]): { width: number; height: number; data: Uint8Array } {
  const width = (Math.max(...texts.map((text) => text.length)) * 6 + 8) * dot;
  const height = (texts.length * 12 + 6) * dot;
  const sharp = new Uint8Array(width * height).fill(255);
  for (const [line, text] of texts.entries())
    for (const [column, letter] of [...text].entries())
      for (let y = 0; y < 7 * dot; y++)
        for (let x = 0; x < 5 * dot; x++)
          if (((letters[letter]?.[Math.floor(y / dot)] ?? 0) >> (4 - Math.floor(x / dot))) & 1)
            sharp[(line * 12 * dot + 4 * dot + y) * width + column * 6 * dot + 4 * dot + x] = 0;
  const data = new Uint8Array(sharp.length);
  const reach = 3;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0];
      for (let dy = -reach; dy <= reach; dy++)
        for (let dx = -reach; dx <= reach; dx++) {
          const value = sharp[(y + dy) * width + x + dx];
          if (value !== undefined) [sum, count] = [sum + value, count + 1];
        }
      data[y * width + x] = sum / count < 128 ? Math.max(0, (sum / count) * 0.8) : Math.min(255, (sum / count) * 1.1);
    }
  return { width, height, data };
}

export const picture = (texts: string[]): Buffer => encodePng({ ...drawn(texts), channels: 1 });
