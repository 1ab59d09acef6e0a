import { sayDuration } from '../../lib/numbers.ts';
import { traceTexts } from '../../text/traces.ts';
import type { Gap } from '../runs.ts';
import { StepIcon } from '../trace/step-icon.tsx';
import { Figures } from './figures.tsx';

/** A time in which no step ran, and what is known of it. */
export const GapDetails = ({ gap }: { gap: Gap }) => (
  <div className="flex flex-col">
    <header className="flex items-center gap-2.5 px-4 py-3">
      <StepIcon step={undefined} gap={gap} size={17} />
      <h2 className="text-label font-semibold">{traceTexts.gaps[gap.phase]}</h2>
    </header>
    <Figures entries={[[traceTexts.details.time, sayDuration(gap.ms)]]} />
    <p className="p-4 text-dense text-text-2">{traceTexts.gapsHelp[gap.phase]}</p>
  </div>
);
