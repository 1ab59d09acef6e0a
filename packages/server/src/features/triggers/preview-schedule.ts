import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { SchedulePreview, SchedulePreviewBody } from '@atrium/contract/triggers/schema.ts';
import { timetableOf } from '../../lib/timetable/timetable.ts';
import { offsetsOf } from '../../lib/timetable/wall-clock.ts';
import { scheduleErrors } from './check-definition.ts';

/** A time as the clocks of a zone show it, such as `2026-11-16T09:00:00.000+01:00`. */
function localTime(time: number, offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${new Date(time + offset).toISOString().slice(0, -1)}${offset < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** The next times of a schedule after a time. */
export function previewSchedule({ cron, timezone, count, after }: SchedulePreviewBody, now: number): SchedulePreview {
  const validationErrors = scheduleErrors(cron, timezone, ['body']);
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  const [timetable, offsets] = [timetableOf(cron, timezone), offsetsOf(timezone)];
  const next_fires: SchedulePreview['next_fires'] = [];
  let next = timetable.after(after === undefined ? now : Date.parse(after));
  for (; next !== undefined && next_fires.length < count; next = timetable.after(next))
    next_fires.push({ at: new Date(next).toISOString(), local: localTime(next, offsets(next)) });
  return { cron, timezone, next_fires };
}
