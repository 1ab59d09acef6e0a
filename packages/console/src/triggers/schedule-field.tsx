import { agentTabTexts } from '../text/agent-tabs.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { NextTimes } from './next-times.tsx';
import { changeEvery, dayNames, daysInOrder, type Every, readCron, type Schedule, writeCron } from './schedule.ts';

const words = agentTabTexts.triggers.schedule;
const rhythms: readonly Every[] = ['hour', 'day', 'working day', 'week', 'month', 'other'];

interface ScheduleFieldProps {
  cron: string;
  zone: string;
  error: string | undefined;
  onChange: (cron: string) => void;
}

/** A schedule in words and as a cron expression; each follows the other. The next times are the server's. */
export function ScheduleField({ cron, zone, error, onChange }: ScheduleFieldProps) {
  const schedule = readCron(cron);
  const set = (next: Schedule) => onChange(writeCron(next));
  return (
    <div className="flex flex-col gap-4" data-place="definition.cron">
      <div className="flex flex-wrap gap-4">
        <Field label={words.every} className="w-52">
          <Select
            value={schedule.every}
            options={rhythms.map((value) => ({ value, label: words.rhythms[value] }))}
            onChange={(every) => set(changeEvery(schedule, every as Every))}
          />
        </Field>
        {schedule.every === 'month' && (
          <Field label={words.dayOfMonth} className="w-28">
            <Select
              value={String(schedule.day)}
              options={Array.from({ length: 31 }, (_, at) => ({ value: String(at + 1), label: String(at + 1) }))}
              onChange={(day) => set({ ...schedule, day: Number(day) })}
            />
          </Field>
        )}
        {schedule.every === 'hour' && (
          <Field label={words.minute} className="w-28">
            <Select
              value={String(schedule.minute)}
              options={Array.from({ length: 60 }, (_, at) => ({ value: String(at), label: String(at) }))}
              onChange={(minute) => set({ ...schedule, minute: Number(minute) })}
            />
          </Field>
        )}
        {'time' in schedule && (
          <Field label={words.time} className="w-32">
            <TextInput
              type="time"
              value={schedule.time}
              onChange={({ target }) => target.value && set({ ...schedule, time: target.value })}
            />
          </Field>
        )}
      </div>
      {schedule.every === 'week' && (
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="mb-1.5 text-label font-medium">{words.days}</legend>
          {daysInOrder.map((day) => {
            const on = schedule.days.includes(day);
            const days = on ? schedule.days.filter((other) => other !== day) : [...schedule.days, day];
            return (
              <button
                key={day}
                type="button"
                aria-pressed={on}
                aria-label={dayNames[day]}
                // A week has at least one day.
                onClick={() => days.length > 0 && set({ ...schedule, days })}
                className="h-8 min-w-11 rounded-2 border border-line-2 px-2 text-dense font-medium text-text-2 hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:h-11"
              >
                {dayNames[day]?.slice(0, 3)}
              </button>
            );
          })}
        </fieldset>
      )}
      <Field label={words.cron} help={words.cronHelp} error={error} className="max-w-80">
        <TextInput mono spellCheck={false} value={cron} onChange={({ target }) => onChange(target.value)} />
      </Field>
      <NextTimes cron={cron} zone={zone} />
    </div>
  );
}
