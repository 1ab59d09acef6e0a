import { sayCost, sayDuration, sayPercent } from '../../lib/numbers.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Chip } from '../../ui/chip.tsx';
import type { CaseResult, Evaluation } from '../evaluations.ts';
import { AnswerText } from './answer-text.tsx';
import { Marks } from './marks.tsx';

const words = evaluationTexts.results;

/** The result of one case: the answer, what it was measured by, and what people think of it. */
export function ResultCard({ set, runId, result }: { set: Evaluation; runId: string; result: CaseResult }) {
  const known = set.cases.find(({ id }) => id === result.case_id);
  return (
    <article aria-label={result.name} className="flex flex-col gap-2 rounded-3 border border-line p-3.5">
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1 font-medium break-words">{result.name}</h3>
        <Verdict result={result} />
        <ResultFigures result={result} />
      </header>
      {known && known.messages.length > 0 && known.messages.at(-1) !== result.name && (
        <p dir="auto" className="text-dense break-words whitespace-pre-wrap text-text-2">
          {known.messages.at(-1)}
        </p>
      )}
      <AnswerText result={result} />
      {known?.expected && (
        <p className="text-dense">
          <span className="text-text-3">{words.expected}</span>{' '}
          <span dir="auto" className="break-words whitespace-pre-wrap">
            {known.expected}
          </span>
        </p>
      )}
      <Marks setId={set.id} runId={runId} result={result} />
    </article>
  );
}

export function Verdict({ result }: { result: CaseResult }) {
  const scores = (['expected', 'judge', 'citations'] as const).flatMap((key) => {
    const score = result.scores[key];
    return score === null ? [] : [`${words.scores[key]} ${sayPercent(score)}`];
  });
  return (
    <>
      {scores.map((score) => (
        <span key={score} className="num text-caption text-text-2">
          {score}
        </span>
      ))}
      <Chip tone={result.passed ? 'ok' : 'bad'} dot>
        {result.passed ? words.passed : words.failed}
      </Chip>
    </>
  );
}

export const ResultFigures = ({ result }: { result: CaseResult }) => (
  <span className="num text-caption whitespace-nowrap text-text-2">
    {sayDuration(result.ms)}
    {result.cost !== null && `, ${sayCost(result.cost)}`}
  </span>
);
