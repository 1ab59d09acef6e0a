/** Whether a cut here would part the two halves of one character. */
const splits = (text: string, at: number) =>
  at > 0 && at < text.length && text.charCodeAt(at - 1) >> 10 === 0x36 && text.charCodeAt(at) >> 10 === 0x37;

/**
 * A text in pieces of at most `size` that overlap by a tenth: what a cut would part stands whole in one of them, as long
 * as it is no longer than the overlap.
 */
export function windowsOf(text: string, size: number): string[] {
  const overlap = Math.floor(size / 10);
  const windows: string[] = [];
  for (let start = 0; ; ) {
    const reach = start + size;
    const end = splits(text, reach) ? reach - 1 : Math.min(reach, text.length);
    windows.push(text.slice(start, end));
    if (end >= text.length) return windows;
    const next = Math.max(start + 1, end - overlap);
    start = splits(text, next) ? next + 1 : next;
  }
}
