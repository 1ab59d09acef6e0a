import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Banner } from '../../ui/banner.tsx';
import { Select } from '../../ui/select.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { type Evaluation, type EvaluationRun, isOver, setRunQuery } from '../evaluations.ts';
import { ResultCard } from './result-card.tsx';

const words = evaluationTexts.results;

interface RunResultsProps {
  set: Evaluation;
  runId: string;
  others: readonly { value: string; label: string }[];
  onCompare: (from: string) => void;
}

/** What a version made of each case. */
export function RunResults({ set, runId, others, onCompare }: RunResultsProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const query = useQuery(setRunQuery(client, w, set.id, runId));
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />;
  if (!query.data) return <Loading rows={6} onRetry={() => void query.refetch()} />;
  const { summary, results, status, error } = query.data;
  const left = summary.cases - summary.done;
  return (
    <section aria-label={words.label} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end gap-4">
        <Summary summary={summary} />
        {others.length > 0 && (
          <Select
            aria-label={evaluationTexts.runs.compare}
            className="ml-auto w-48"
            value=""
            empty={evaluationTexts.runs.compare}
            options={others}
            onChange={(from) => from && onCompare(from)}
          />
        )}
      </div>
      {error && (
        <Banner tone="bad" title={evaluationTexts.runs.statuses.failed}>
          {error}
        </Banner>
      )}
      <ul className="flex flex-col gap-2.5">
        {results.map((result) => (
          <li key={result.case_id}>
            <ResultCard set={set} runId={runId} result={result} />
          </li>
        ))}
      </ul>
      <p role="status" className="text-dense text-text-2">
        {!isOver(status) && left > 0 && words.pending(left)}
      </p>
    </section>
  );
}

function Summary({ summary }: { summary: EvaluationRun['summary'] }) {
  const { figures } = words;
  const entries: readonly (readonly [string, ReactNode])[] = [
    [figures.passed, words.ratio(summary.passed, summary.cases)],
    [figures.errors, summary.errors > 0 && sayNumber(summary.errors)],
    [figures.disputed, summary.disputed > 0 && sayNumber(summary.disputed)],
    [figures.tokens, sayNumber(summary.tokens)],
    [figures.cost, summary.cost === null ? '–' : sayCost(summary.cost)],
    [figures.time, summary.ms === null ? '–' : sayDuration(summary.ms)],
  ];
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2 text-dense">
      {entries.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt className="text-text-2">{name}</dt>
              <dd className="num text-label font-medium">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
