/** A piece of text at one height, without a wide gap in it. */
export interface Run {
  text: string;
  x: number;
  /** Where it ends. */
  x2: number;
  /** The line it stands on, counted from the bottom of the page. */
  y: number;
  size: number;
  /** Its letters are read from right to left; null: it has none. */
  rtl: boolean | null;
}

/** What pdf.js says of a piece of text. */
export interface TextItem {
  str: string;
  dir: string;
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
  for (const { str, dir, transform, width, height } of items) {
    const [, , c = 0, d = 0, x = 0, y = 0] = transform;
    const size = Math.hypot(c, d) || height || 1;
    const rtl = dir === 'rtl' || (/\p{L}/u.test(str) ? false : null);
    if (str.trim() === '') {
      blank ||= str !== '';
      continue;
    }
    const last = runs.at(-1);
    // Where words go from right to left, the next piece may stand on the left of the last, or be read before it.
    const back = (last?.rtl ?? rtl) === true;
    const leftwards = last !== undefined && back && x < last.x;
    const gap = last ? (leftwards ? last.x - x - width : x - last.x2) : 0;
    const joins = last && Math.abs(y - last.y) < size * 0.35 && gap > -size * 0.5 && gap < size * columnGap;
    if (joins && Math.abs(last.size - size) < size) {
      const [before, after] = back && !leftwards ? [plain(str), last.text] : [last.text, plain(str)];
      const parted = blank ? gap > 0 || !/\s$/.test(before) : gap > size * wordGap;
      last.text = before + (parted && !/^\s/.test(after) && !/\s$/.test(before) ? ' ' : '') + after;
      last.x = Math.min(last.x, x);
      last.x2 = Math.max(last.x2, x + width);
      last.size = Math.max(last.size, size);
      last.rtl ??= rtl;
    } else runs.push({ text: plain(str), x, x2: x + width, y, size, rtl });
    blank = false;
  }
  return runs.map((run) => ({ ...run, text: run.text.trim() })).filter(({ text }) => text !== '');
}
