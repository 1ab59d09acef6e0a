import type { NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';

type Delta = Extract<RunEvent, { type: 'text-delta' | 'reasoning-delta' }>;
export const isDelta = <E extends RunEvent>(event: E): event is E & Delta =>
  event.type === 'text-delta' || event.type === 'reasoning-delta';

const isAdvice = (event: Delta) => event.type === 'text-delta' && event.advice === true;
/** Whether the event adds to the text of the other one. */
export const continues = (last: Delta, event: Delta): boolean =>
  last.type === event.type &&
  last.step === event.step &&
  isAdvice(last) === isAdvice(event) &&
  last.withheld === event.withheld;

/** An event, and when it happened, in ms. */
export interface EventAt {
  event: NumberedEvent;
  at: number;
}

/** A row of the log. The pieces of a text that are stored together share a row, which has the number of the last one. */
export interface EventRow {
  seq: number;
  type: string;
  /** JSON text. `pieces` has the length of each piece of a text, when it has several. */
  data: string;
}

interface Group extends EventAt {
  pieces: number[];
}

/** The rows that store these events, each with its time. A client that resumes gets the same pieces as a live one. */
export function rowsOfEvents(events: readonly EventAt[]): (EventRow & { at: number })[] {
  const groups: Group[] = [];
  for (const { event, at } of events) {
    const last = groups.at(-1);
    if (last && isDelta(last.event) && isDelta(event) && continues(last.event, event)) {
      last.event = { ...last.event, text: last.event.text + event.text, seq: event.seq };
      last.pieces.push(event.text.length);
    } else groups.push({ event, at, pieces: isDelta(event) ? [event.text.length] : [] });
  }
  return groups.map(({ event: { seq, type, ...rest }, at, pieces }) => ({
    ...{ seq, type, at },
    data: JSON.stringify(pieces.length > 1 ? { ...rest, pieces } : rest),
  }));
}

/** The events of a row, with their numbers. */
export function eventsOfRow({ seq, type, data }: EventRow): NumberedEvent[] {
  const { pieces, ...rest } = JSON.parse(data) as { text: string; pieces?: number[] };
  if (!pieces) return [{ seq, type, ...rest } as NumberedEvent];
  let end = 0;
  return pieces.map((length, index) => {
    const text = rest.text.slice(end, end + length);
    end += length;
    return { seq: seq - pieces.length + 1 + index, type, ...rest, text } as NumberedEvent;
  });
}

/** The data of a row without its text. The pieces are left, since clients count them. */
export function withholdText({ type, data }: Omit<EventRow, 'seq'>): string {
  const { pieces, ...whole } = JSON.parse(data);
  const { place, images, ...rest } = whole;
  if (type === 'tool-call') return JSON.stringify({ ...whole, input: {} });
  if (type === 'source') return JSON.stringify({ ...rest, url: null, title: '', quote: null });
  const empty = { ...whole, text: '', withheld: true };
  return JSON.stringify(pieces ? { ...empty, pieces: pieces.map(() => 0) } : empty);
}
