/** A piece of text at one height, without a wide gap in it. */
export interface Run {
  text: string;
  x: number;
  /** Where it ends. */
  x2: number;
  /** The line it stands on, counted from the bottom of the page. */
  y: number;
  size: number;
}

/** What pdf.js says of a piece of text. */
export interface TextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
}

const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' };

const plain = (text: string) =>
  text.replaceAll(/[ﬀ-ﬆ]/g, (found) => ligatures[found] ?? found).replaceAll('\u00a0', ' ');

/** A gap that is wider than these many letters parts columns or cells; one that is narrower than a word's gap is none. */
const columnGap = 1.2;
const wordGap = 0.15;

/** Puts pieces together that programs have written letter by letter, or with a gap for each word. */
export function runsOf(items: readonly TextItem[]): Run[] {
  const runs: Run[] = [];
  let blank = false;
  for (const { str, transform, width, height } of items) {
    const [, , c = 0, d = 0, x = 0, y = 0] = transform;
    const size = Math.hypot(c, d) || height || 1;
    if (str.trim() === '') {
      blank ||= str !== '';
      continue;
    }
    const last = runs.at(-1);
    const gap = last ? x - last.x2 : 0;
    const joins = last && Math.abs(y - last.y) < size * 0.35 && gap > -size * 0.5 && gap < size * columnGap;
    if (joins && Math.abs(last.size - size) < size) {
      const parted = blank ? gap > 0 || !/\s$/.test(last.text) : gap > size * wordGap;
      last.text += (parted && !/^\s/.test(str) && !/\s$/.test(last.text) ? ' ' : '') + plain(str);
      last.x2 = Math.max(last.x2, x + width);
      last.size = Math.max(last.size, size);
    } else runs.push({ text: plain(str), x, x2: x + width, y, size });
    blank = false;
  }
  return runs.map((run) => ({ ...run, text: run.text.trim() })).filter(({ text }) => text !== '');
}
