import { cutBefore } from '../../lib/text/cut-text.ts';

/**
 * A text in pieces of at most `size` that overlap by a tenth: what a cut would part stands whole in one of them, as long
 * as it is no longer than the overlap. Cut where no value is torn: the pieces are hidden each for itself.
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
