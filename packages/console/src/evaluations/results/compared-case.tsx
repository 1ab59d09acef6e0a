import { sayCost, sayDuration } from '../../lib/numbers.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import type { Report } from '../evaluations.ts';
import { AnswerText } from './answer-text.tsx';
import { Marks } from './marks.tsx';
import { ResultFigures, Verdict } from './result-card.tsx';

const words = evaluationTexts.compare;
const tones: Readonly<Record<string, Tone>> = {
  ...{ better: 'ok', cheaper: 'ok', faster: 'ok', worse: 'bad', dearer: 'warn', slower: 'warn' },
};

/** A difference with its sign; the sign is a real minus. */
const signed = (value: number, say: (size: number) => string) =>
  value < 0 ? words.less(say(-value)) : words.more(say(value));

interface ComparedCaseProps {
  setId: string;
  one: Report['cases'][number];
  runs: readonly [from: string, to: string];
  names: readonly [from: string, to: string];
}

/** One case in two runs: what changed, and both answers. */
export function ComparedCase({ setId, one, runs, names }: ComparedCaseProps) {
  const { change, cost_change, speed_change, cost, ms } = one;
  return (
    <article aria-label={one.name} className="flex flex-col gap-3 rounded-3 border border-line p-3.5">
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 font-medium break-words">{one.name}</h3>
        {one.case_changed && <Chip tone="info">{words.changed}</Chip>}
        <Chip tone={tones[change] ?? 'plain'} dot>
          {words.counts[change]}
        </Chip>
        {cost_change && cost_change !== 'same' && (
          <Chip tone={tones[cost_change] ?? 'plain'}>
            {words.counts[cost_change]} {cost !== null && signed(cost, sayCost)}
          </Chip>
        )}
        {speed_change !== 'same' && (
          <Chip tone={tones[speed_change] ?? 'plain'}>
            {words.counts[speed_change]} {signed(ms, sayDuration)}
          </Chip>
        )}
      </header>
      <div className="grid items-start gap-4 narrow:grid-cols-2">
        {([one.from, one.to] as const).map((result, side) => (
          <section key={runs[side]} aria-label={names[side]} className="flex min-w-0 flex-col gap-2">
            <p className="flex flex-wrap items-center gap-2">
              <span className="num flex-1 text-dense font-medium text-text-2">{names[side]}</span>
              <Verdict result={result} />
              <ResultFigures result={result} />
            </p>
            <AnswerText result={result} />
            <Marks setId={setId} runId={runs[side] ?? ''} result={result} />
          </section>
        ))}
      </div>
    </article>
  );
}
