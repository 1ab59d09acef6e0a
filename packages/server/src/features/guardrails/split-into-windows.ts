import { cutBefore } from '../../lib/text/cut-text.ts';

/**
 * Splits a text into pieces of at most `size` that overlap by a tenth, so that everything shorter than the overlap is
 * whole in one piece. It never cuts through a value, since each piece is anonymized separately.
 */
export function windowsOf(text: string, size: number): string[] {
  const overlap = Math.floor(size / 10);
  const most = Math.min(200, overlap);
  const windows: string[] = [];
  for (let start = 0; ; ) {
    const end = cutBefore(text, start + size, most);
    windows.push(text.slice(start, end));
    if (end >= text.length) return windows;
    start = Math.max(start + 1, cutBefore(text, end - overlap, most));
  }
}
