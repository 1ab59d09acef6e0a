import type * as z from 'zod';
import { refuse, scalar } from './scalar.ts';

const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T t_](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/** Why a text is no date-time, in the words clients know. */
function trouble(text: string): string {
  if (text.length < 10) return /^\d*-?\d*-?\d*$/.test(text) ? 'input is too short' : 'invalid character in year';
  if (!/^\d{4}/.test(text)) return 'invalid character in year';
  if (!/^\d{4}-/.test(text)) return 'invalid date separator, expected `-`';
  if (!/^\d{4}-\d{2}/.test(text)) return 'invalid character in month';
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return 'invalid character in day';
  if (text.length > 10 && !/^.{10}[T t_]/.test(text))
    return 'invalid datetime separator, expected `T`, `t`, `_` or space';
  return 'unexpected extra characters at the end of the input';
}

function outOfRange(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12';
  const days = new Date(Date.UTC(year === 0 ? 4 : year, month, 0)).getUTCDate();
  if (day < 1 || day > days) return 'day value is outside expected range';
  if (hour > 23) return 'hour value is outside expected range of 0-23';
  if (minute > 59) return 'minute value is outside expected range of 0-59';
  if (second > 59) return 'second value is outside expected range of 0-59';
  return year < 1 ? 'year 0 is out of range' : undefined;
}

const refused = (error: string) =>
  refuse('datetime_from_date_parsing', `Input should be a valid datetime or date, ${error}`, { error });

/** A moment: ISO 8601 (UTC when it names no zone) or Unix seconds; handed on as ISO 8601 UTC with milliseconds. */
export const datetime = ({ example }: { example?: string } = {}): z.ZodType<string, string> =>
  datetimeSchema({ format: 'date-time', ...(example !== undefined && { examples: [example] }) });

/** The same, or an empty text, where null means something else: PATCH takes a moment away by it. */
export const datetimeOrEmpty = (): z.ZodType<string, string> =>
  datetimeSchema({ anyOf: [{ format: 'date-time' }, { maxLength: 0 }] }, true);

function datetimeSchema(json: Record<string, unknown>, empty = false): z.ZodType<string, string> {
  return scalar({ type: 'string', ...json }, (input) => {
    if (input === '' && empty) return input;
    if (typeof input === 'number') {
      // Pydantic's watershed: larger numbers are milliseconds.
      const ms = Math.abs(input) > 2e10 ? input : input * 1000;
      const inCalendar = ms >= -62_135_596_800_000 && ms <= Date.UTC(9999, 11, 31, 23, 59, 59, 999);
      return inCalendar ? new Date(ms).toISOString() : refused('dates before year 1 or after 9999 are not supported');
    }
    if (typeof input !== 'string') return refuse('datetime_type', 'Input should be a valid datetime');
    const match = shape.exec(input.trim());
    if (!match) return refused(trouble(input.trim()));
    const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const error = outOfRange(year, month, day, hour, minute, second);
    if (error) return refused(error);
    const ms = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
    const zone = /^([+-])(\d{2}):?(\d{2})$/.exec(match[8] ?? '');
    const offset = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
    const moment = new Date(0);
    moment.setUTCFullYear(year, month - 1, day);
    moment.setUTCHours(hour, minute - offset, second, ms);
    // A zone can carry the first or last day of the calendar past the years that four digits can say.
    const iso = moment.toISOString();
    return /^\d{4}-/.test(iso) && moment.getUTCFullYear() > 0 ? iso : refused('year is out of range');
  });
}
