import { keysOf } from '@atrium/contract/keys-of.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { isUnfitValue, readDefault } from '../value-reader.ts';
import { type CellFormat, canonicalText } from './cell-format.ts';

/** From the narrowest to the widest; a text is always a text. */
const candidates = ['boolean', 'integer', 'number', 'date', 'datetime', 'uuid'] as const;
type Candidate = (typeof candidates)[number];

/** The form of a cell for each type. "007" is not a number: the zeros are meant. */
const shapes: Record<Candidate, RegExp> = {
  boolean: /^(?:true|false|yes|no)$/i,
  integer: /^[+-]?(?:0|[1-9]\d*)$/,
  number: /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
};

/** Cells that mean something else, or nothing, without a format. */
const doubts = {
  /** Days and months in numbers, whose order differs from country to country. */
  date: /^\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})$/,
  /** A comma before the decimals, with or without points between the thousands. */
  comma: /^[+-]?(?:\d{1,3}(?:[.\s'’]\d{3})+(?:,\d+)?|\d+,\d+)$/,
  /** A point before the decimals, commas between the thousands. */
  point: /^[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)$/,
  /** A number with three decimals, or a whole number with points between its thousands. */
  thousands: /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})|\d{1,3})$/,
};

/** A format that no value is written in is most likely the wrong one. */
function misfitOf(kinds: readonly (keyof typeof doubts)[], type: ValueType, sample: string): string | undefined {
  const isNumeric = kinds.some((kind) => kind !== 'thousands');
  if (type !== 'text' || !isNumeric) return undefined;
  return `Values such as ${sample} were kept as text: they are not written as \`format\` says`;
}

function doubtAbout(kinds: readonly (keyof typeof doubts)[], type: ValueType, sample: string): string | undefined {
  const how = 'send `format`, such as `de-DE` or {"date":"DD.MM.YYYY"}';
  if (type === 'text' && kinds.includes('date'))
    return `Values such as ${sample} were kept as text: the order of day and month is not known; ${how}`;
  if (type === 'text' && (kinds.includes('comma') || kinds.includes('point')))
    return `Values such as ${sample} were kept as text: to read them as numbers, ${how}`;
  if (type === 'number' && kinds.includes('thousands'))
    return `Values such as ${sample} were read as numbers with three decimals: if the point separates thousands, ${how}`;
  return undefined;
}

type CellHints = { isTyped?: boolean | undefined; isText?: boolean | undefined };

/** Finds the narrowest type that fits all cells of a column. */
export function makeTypeGuesser(format: CellFormat | undefined) {
  let left: Candidate[] = [...candidates];
  let doubtful = keysOf(doubts);
  let [seen, sample] = [false, ''];
  const fits = (type: Candidate, cell: string, isTyped: boolean) => {
    const text = format && !isTyped ? canonicalText(type, cell, format) : cell;
    return text !== undefined && shapes[type].test(text) && !isUnfitValue(readDefault(type, text));
  };
  return {
    /**
     * `isTyped`: the cell of a workbook is a number or a date itself, not a text that looks like one. `isText`: the
     * file says that the cell is a text.
     */
    see(text: string, { isTyped = false, isText = false }: CellHints = {}): void {
      seen = true;
      if (isText) [left, doubtful] = [[], []];
      if (left.length) left = left.filter((type) => fits(type, text, isTyped));
      if (doubtful.length) doubtful = doubtful.filter((kind) => !isTyped && doubts[kind].test(text));
      if (/\D/.test(text)) sample ||= text;
    },
    type: (): ValueType => (seen ? (left[0] ?? 'text') : 'text'),
    /** Why the type may not be what was meant. */
    doubt(): string | undefined {
      if (!seen) return undefined;
      return (format ? misfitOf : doubtAbout)(doubtful, this.type(), sample);
    },
  };
}
