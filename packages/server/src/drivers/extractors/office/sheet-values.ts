import type { Archive } from './open-archive.ts';
import { all, first, parseXml, readXml } from './xml.ts';

/** Formats that every program knows by number: 14 to 22 and 45 to 47 are dates and times, and those of East Asia. */
const isDateNumber = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** Whether a format shows a date: its letters, without those in quotes, brackets and after a backslash. */
export const isDateFormat = (format: string) =>
  /[ymdhs]/i.test(format.replaceAll(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|_./gi, '').replaceAll(/general/gi, ''));

/** Which styles of cells show dates, by number. */
export function dateStyles(archive: Archive, part: string | undefined): Set<number> {
  const bytes = part && archive.read(part);
  if (!bytes) return new Set();
  const tree = parseXml(bytes);
  const own = new Map(
    [...all(tree, 'numFmt')].map(({ attributes }) => [Number(attributes['numFmtId']), attributes['formatCode'] ?? '']),
  );
  const styles = [...all(first(tree, 'cellXfs') ?? tree, 'xf')];
  return new Set(
    styles.flatMap(({ attributes }, index) => {
      const id = Number(attributes['numFmtId']);
      const format = own.get(id);
      return (format === undefined ? isDateNumber(id) : isDateFormat(format)) ? [index] : [];
    }),
  );
}

const day = 86_400_000;

/** Days since 1900 (or 1904) as a date, a time, or both. Spreadsheets count a 29 February 1900, which did not exist. */
export function dateOf(serial: number, from1904: boolean): string {
  const days = from1904 ? serial + 1462 : serial;
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return String(serial);
  const ms = Math.round((days - (days < 61 ? 25_568 : 25_569)) * 86_400) * 1000;
  const [date, time] = new Date(ms).toISOString().slice(0, 19).split('T') as [string, string];
  if (days < 1) return time;
  return ms % day === 0 ? date : `${date} ${time}`;
}

/** Rounds a number to the 15 digits that a spreadsheet shows, without floating-point noise. */
export const numberOf = (written: string) => {
  const value = Number(written);
  return Number.isFinite(value) && written.trim() !== '' ? String(Number(value.toPrecision(15))) : written;
};

/** The texts that cells refer to by number. */
export function sharedStrings(archive: Archive, part: string | undefined): string[] {
  const bytes = part && archive.read(part);
  const strings: string[] = [];
  if (!bytes) return strings;
  let [text, inside, phonetic] = ['', false, 0];
  readXml(bytes, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic++;
      inside = name === 't' && phonetic === 0;
      return true;
    },
    text(found) {
      if (inside) text += found;
    },
    close(name) {
      if (name === 'si') strings.push(text);
      else if (name === 'rPh') phonetic--;
      inside = false;
      return true;
    },
  });
  return strings;
}
