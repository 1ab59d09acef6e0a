import { connectionTexts } from '../../text/connections.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { eventsOf, families, toggleEvent } from './webhooks.ts';

const words = connectionTexts.webhooks;

interface EventsFieldProps {
  events: readonly string[];
  error: string | undefined;
  onChange: (events: string[]) => void;
}

/** The events that are posted, by what they are about. A family stands for all of its events, those to come too. */
export function EventsField({ events, error, onChange }: EventsFieldProps) {
  return (
    <fieldset className="min-w-0" aria-invalid={error !== undefined || undefined} tabIndex={-1}>
      <legend className="mb-1.5 text-label font-medium">{words.events}</legend>
      {error && <p className="mb-2 text-dense text-bad">{error}</p>}
      <div className="grid gap-x-6 gap-y-4 phone:grid-cols-2">
        {families.map((family) => {
          const isWhole = events.includes(family);
          return (
            <div key={family} className="flex min-w-0 flex-col gap-1.5">
              <Checkbox
                checked={isWhole}
                label={words.allOf(words.families[family].toLowerCase().replace('mcp', 'MCP'))}
                onChange={(on) => onChange(toggleEvent(events, family, on))}
              />
              <div className="flex flex-col gap-1.5 pl-6">
                {eventsOf(family).map((event) => (
                  <Checkbox
                    key={event}
                    checked={isWhole || events.includes(event)}
                    disabled={isWhole}
                    label={words.eventNames[event]}
                    onChange={(on) => onChange(toggleEvent(events, event, on))}
                  />
                ))}
              </div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
