import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { type Evaluation, type EvaluationRunItem, isOver, type Report, useVersionNames } from '../evaluations.ts';
import type { EvaluationPlace } from '../routes.tsx';
import { ComparedCase } from './compared-case.tsx';

const words = evaluationTexts.compare;
type Change = keyof typeof words.counts;
const changes = Object.keys(words.counts) as Change[];
const changesOf = ({ change, cost_change, speed_change }: Report['cases'][number]): readonly string[] => [
  ...[change, ...(cost_change && cost_change !== 'same' ? [cost_change] : [])],
  ...(speed_change === 'same' ? [] : [speed_change]),
];

interface ComparePartProps {
  set: Evaluation;
  runs: readonly EvaluationRunItem[];
  place: EvaluationPlace;
  onPlace: (place: EvaluationPlace) => void;
}

/** Two runs case by case, with both answers side by side. */
export function ComparePart({ set, runs, place, onPlace }: ComparePartProps) {
  const { from, to, show } = place;
  const client = useClient();
  const { id: w } = useWorkspace();
  const { nameRun } = useVersionNames(set.agent_id);
  const isLive = runs.some(({ id, status }) => (id === from || id === to) && !isOver(status));
  const query = useQuery({
    queryKey: [w, 'evaluations', 'report', set.id, from, to],
    queryFn: () => client.evaluations.report(set.id, { from: from ?? '', to: to ?? '' }),
    enabled: from !== undefined && to !== undefined,
    refetchInterval: isLive ? 2000 : false,
  });
  const options = runs.map((run) => ({ value: run.id, label: nameRun(run) }));
  const chosen = changes.find((change) => change === show);
  const cases = query.data?.cases.filter((one) => !chosen || changesOf(one).includes(chosen)) ?? [];
  const nameOf = (id: string | undefined) => options.find(({ value }) => value === id)?.label ?? '';
  return (
    <section aria-label={words.label} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        {(['from', 'to'] as const).map((side) => (
          <Field key={side} label={words[side]} className="w-56">
            <Select
              value={place[side] ?? ''}
              empty={words.choose}
              options={options}
              onChange={(id) => onPlace({ [side]: id || undefined })}
            />
          </Field>
        ))}
        <IconButton
          label={words.swap}
          icon={<ArrowLeftRight size={16} />}
          disabled={!from || !to}
          onClick={() => onPlace({ from: to, to: from })}
        />
      </div>
      {query.data && (
        <Segmented
          label={words.show}
          value={chosen ?? 'all'}
          options={[
            { value: 'all', label: words.all },
            ...changes.map((change) => ({ value: change, label: `${words.counts[change]} ${query.data[change]}` })),
          ]}
          onChange={(next) => onPlace({ show: next === 'all' ? undefined : next })}
        />
      )}
      {(!from || !to) && <EmptyState icon={<ArrowLeftRight size={20} aria-hidden />} title={words.pick} />}
      {query.isFetching && !query.data && <Loading rows={6} onRetry={() => void query.refetch()} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      <ul className="flex flex-col gap-3">
        {cases.map((one) => (
          <li key={one.case_id}>
            <ComparedCase setId={set.id} one={one} runs={[from ?? '', to ?? '']} names={[nameOf(from), nameOf(to)]} />
          </li>
        ))}
      </ul>
      {query.data && cases.length === 0 && (
        <p className="text-dense text-text-2">{isLive && !chosen ? words.waits : words.none}</p>
      )}
    </section>
  );
}
