import { sayDuration, sayPercent } from '../../lib/numbers.ts';
import { traceTexts } from '../../text/traces.ts';
import type { Trace } from '../runs.ts';
import { Box } from './prompt-view.tsx';

const words = traceTexts.time;

/** The time of a run by what it was spent on, the longest first; the parts add up to the whole. */
export function TimeParts({ time: { ms, parts } }: { time: Trace['time'] }) {
  if (parts.length === 0) return null;
  return (
    <Box title={words.title}>
      <dl aria-label={words.title} className="flex flex-col gap-1 text-dense">
        {parts
          .toSorted((one, other) => other.ms - one.ms)
          .map((part) => (
            <div key={part.what} className="grid grid-cols-[minmax(0,1fr)_72px_48px] gap-2">
              <dt className="text-text-2">{words.parts[part.what]}</dt>
              <dd className="num text-right font-medium">{sayDuration(part.ms)}</dd>
              <dd className="num text-right text-text-3">{sayPercent(part.ms / Math.max(1, ms))}</dd>
            </div>
          ))}
      </dl>
    </Box>
  );
}
