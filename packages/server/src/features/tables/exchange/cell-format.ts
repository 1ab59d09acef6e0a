import { invalid } from '@atrium/contract/errors.ts';
import { type ImportFormat, importFormat } from '@atrium/contract/tables/exchange/schema.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { readDefault, type UnfitValue } from '../value-reader.ts';

/** Reads numbers and dates of a file as the database writes them; undefined where a text is not in the format. */
export interface CellFormat {
  number(text: string): string | undefined;
  date(text: string): string | undefined;
  datetime(text: string): string | undefined;
  /** For error messages: an example of a number, and the pattern of a date. */
  numberExample: string;
  datePattern: string;
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Blanks and apostrophes have several forms that look alike. */
const signs: Record<string, string> = { ' ': '[ \\u00a0\\u2009\\u202f]', "'": "['\\u2019]", '’': "['\\u2019]" };
const signPattern = (sign: string) => signs[sign] ?? escapeRegExp(sign);

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const timePart = /^(.*?)(?:T|,?\s+)(\d{1,2}):(\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

function makeReadNumber(decimal: string, thousands: string) {
  const groups =
    thousands === '' ? '' : `|[1-9]\\d{0,2}(?:${signPattern(thousands)}\\d{2,3})*${signPattern(thousands)}\\d{3}`;
  const shape = new RegExp(`^([-+\\u2212]?)(0|[1-9]\\d*${groups})(?:${signPattern(decimal)}(\\d+))?$`);
  return (text: string): string | undefined => {
    const [, sign = '', whole, part] = shape.exec(text.trim()) ?? [];
    if (whole === undefined) return undefined;
    return `${sign === '' || sign === '+' ? '' : '-'}${whole.replaceAll(/\D/g, '')}${part === undefined ? '' : `.${part}`}`;
  };
}

/** Years of two digits: 69 to 99 are of the last century, as in most programs. */
const wholeYear = (year: string) => (year.length > 2 ? year : `${Number(year) < 69 ? 20 : 19}${year}`);

function makeReadDate(pattern: string) {
  const groups = { Y: '(?<year>\\d{4}|\\d{2})', M: '(?<month>\\d{1,2})', D: '(?<day>\\d{1,2})' };
  const parts = pattern.split(/(Y+|M+|D+)/).map((part) => {
    if (/^Y+$/.test(part)) return part.length === 4 ? '(?<year>\\d{4})' : groups.Y;
    const group = groups[part[0] as 'M' | 'D'];
    return group ?? (part.trim() === '' ? '\\s*' : `\\s*${escapeRegExp(part.trim())}\\s*`);
  });
  const shape = new RegExp(`^${parts.join('')}$`);
  return (text: string): string | undefined => {
    // Workbooks and databases write this, and it can't be anything else.
    if (isoDate.test(text.trim())) return text.trim();
    const { year, month, day } = shape.exec(text.trim())?.groups ?? {};
    if (year === undefined || month === undefined || day === undefined) return undefined;
    return `${wholeYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  };
}

/** How a locale writes numbers and dates. */
function formatOfLocale(locale: string) {
  const partsOf = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' }).formatToParts(
    1_234_567.5,
  );
  const sign = (type: string) => partsOf.find((part) => part.type === type)?.value ?? '';
  const tokens: Record<string, string> = { year: 'YYYY', month: 'MM', day: 'DD' };
  const date = new Intl.DateTimeFormat(locale, {
    ...{ numberingSystem: 'latn', calendar: 'gregory', timeZone: 'UTC' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  })
    .formatToParts(Date.UTC(2025, 11, 31))
    .map(({ type, value }) => tokens[type] ?? (type === 'literal' ? value.replaceAll(/\p{Cf}/gu, '') : ''))
    .join('');
  const thousands = sign('group');
  return { decimal: sign('decimal'), thousands: /\s/.test(thousands) ? ' ' : thousands.replace('’', "'"), date };
}

function supportedLocale(name: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

function parseFormat(text: string, loc: string[]): ImportFormat {
  if (!text.trim().startsWith('{')) return { locale: text.trim() };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(loc, 'it is neither the name of a locale nor JSON', text);
  }
  const parsed = importFormat.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(loc, `${issue?.path.join('.') || 'format'}: ${issue?.message}`, text);
}

/** Reads the format of an import: the name of a locale, or JSON. Undefined when none is given. */
export function readCellFormat(text: string | undefined, loc: string[]): CellFormat | undefined {
  if (text === undefined) return undefined;
  const { locale: named, ...given } = parseFormat(text, loc);
  const locale = named === undefined ? undefined : supportedLocale(named);
  if (named !== undefined && locale === undefined) throw invalid(loc, 'there is no locale of this name', named);
  const base = locale === undefined ? { decimal: '.', thousands: '', date: 'YYYY-MM-DD' } : formatOfLocale(locale);
  const { decimal = base.decimal, thousands = base.thousands, date: datePattern = base.date } = given;
  if (decimal === thousands) throw invalid(loc, 'decimal and thousands are the same sign', text);
  for (const token of ['Y', 'M', 'D'])
    if ((datePattern.match(new RegExp(`${token}+`, 'g')) ?? []).length !== 1)
      throw invalid(loc, 'date needs YYYY (or YY), MM and DD once each', datePattern);
  const date = makeReadDate(datePattern);
  return {
    number: makeReadNumber(decimal, thousands),
    date,
    datetime(cell) {
      const [, day = '', hour = '', rest = ''] = timePart.exec(cell.trim()) ?? [];
      const read = day === '' ? date(cell) : date(day);
      return read === undefined || day === '' ? read : `${read}T${hour.padStart(2, '0')}:${rest}`;
    },
    numberExample: `1${thousands}234${decimal}5`,
    datePattern,
  };
}

/** The text of a cell as its type reads it; undefined when it is not in the format. */
export function canonicalText(type: ValueType, text: string, format: CellFormat): string | undefined {
  if (type === 'integer' || type === 'number') return format.number(text);
  if (type === 'date') return format.date(text);
  return type === 'datetime' ? (format.datetime(text) ?? text) : text;
}

/** Reads a cell for a column of this type. */
export function readCell(
  type: ValueType,
  text: string,
  format: CellFormat | undefined,
): { value: unknown } | UnfitValue {
  const canonical = format ? canonicalText(type, text, format) : text;
  if (canonical !== undefined) return readDefault(type, canonical);
  const isDate = type === 'date';
  const error = isDate
    ? `it is not written as ${format?.datePattern}`
    : `it is not written as ${format?.numberExample}`;
  return {
    type: isDate ? 'date_parsing' : 'number_parsing',
    msg: `Input should be a valid ${isDate ? 'date' : 'number'}, ${error}`,
    ctx: { error },
  };
}
