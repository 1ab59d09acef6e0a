import type { Recogniser, Span } from '../ports.ts';
import { before } from '../surroundings.ts';
import { clocks, colonClock, noClockBefore } from './clock.ts';
import { weekdayBefore } from './months.ts';
import { namedDates } from './named-dates.ts';
import { numericDates } from './numeric-dates.ts';

/** A time right after a date belongs to the date. */
const timeAfter = new RegExp(`(?:[Tt]|,? {1,2})${colonClock}(?![\\p{N}_:])`, 'iuy');

function withWeekdayAndTime(text: string, span: Span): Span {
  const weekday = weekdayBefore.exec(before(text, span.start, 16))?.[0].length ?? 0;
  timeAfter.lastIndex = span.end;
  const time = timeAfter.exec(text)?.[0].length ?? 0;
  return { ...span, start: span.start - weekday, end: span.end + time };
}

function times(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: value, index: start } of text.matchAll(clocks)) {
    if (/^\d+:\d+$/.test(value) && noClockBefore.test(before(text, start))) continue;
    spans.push({ entity: 'DATE_TIME', start, end: start + value.length, score: 0.7 });
  }
  return spans;
}

/**
 * Finds calendar dates, months with a day or a year, and clock times. Relative days such as "tomorrow" are not personal
 * data.
 */
export const dateTime: Recogniser = {
  entities: ['DATE_TIME'],
  find: (text) => [
    ...[...numericDates(text), ...namedDates(text)].map((span) => withWeekdayAndTime(text, span)),
    ...times(text),
  ],
};
