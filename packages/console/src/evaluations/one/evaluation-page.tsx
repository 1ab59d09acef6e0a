import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useReferenceName } from '../../forms/use-references.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Chip } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordFailure } from '../../ui/record-failure.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { CasesPart } from '../cases/cases-part.tsx';
import { type Evaluation, setQuery, setRunsQuery } from '../evaluations.ts';
import { GateLine } from '../gate/gate-line.tsx';
import { ComparePart } from '../results/compare-part.tsx';
import { RunsPart } from '../results/runs-part.tsx';
import type { EvaluationPlace } from '../routes.tsx';
import { SetActions } from './set-actions.tsx';

const words = evaluationTexts.views;

/** One set: its cases, what versions made of them, and how two of them differ. */
export function EvaluationPage() {
  const { id } = useParams({ from: '/signed-in/w/$w/evaluations/$id' });
  const { id: w } = useWorkspace();
  const query = useQuery(setQuery(useClient(), w, id));
  if (query.data) return <LoadedSet key={id} set={query.data} />;
  const list = { label: evaluationTexts.title, to: `/w/${w}/evaluations` };
  return (
    <Page title={evaluationTexts.title} crumb={list} guide="evaluations">
      {query.isError ? (
        <RecordFailure error={query.error} onRetry={() => void query.refetch()} list={list} />
      ) : (
        <Loading rows={8} onRetry={() => void query.refetch()} />
      )}
    </Page>
  );
}

function LoadedSet({ set }: { set: Evaluation }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const place = useSearch({ from: '/signed-in/w/$w/evaluations/$id' });
  const navigate = useNavigate({ from: '/w/$w/evaluations/$id' });
  const runs = useInfiniteQuery(setRunsQuery(client, w, set.id));
  const agent = useReferenceName('agent', set.agent_id);
  const show = (next: EvaluationPlace) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const items = runs.data?.pages.flatMap((page) => page.items) ?? [];
  const view = place.view ?? 'runs';
  return (
    <Page
      title={set.name}
      crumb={{ label: evaluationTexts.title, to: `/w/${w}/evaluations` }}
      guide="evaluations"
      beside={agent && <Chip>{agent}</Chip>}
      actions={<SetActions set={set} onStarted={(run) => show({ view: undefined, run })} />}
    >
      <div className="flex flex-col gap-4 px-5 py-4 max-narrow:px-3">
        <GateLine agentId={set.agent_id} setId={set.id} />
        <Segmented
          label={words.label}
          value={view}
          options={[
            { value: 'runs', label: words.runs },
            { value: 'compare', label: words.compare },
            { value: 'cases', label: `${words.cases} ${set.cases.length}` },
          ]}
          onChange={(next) => show({ view: next === 'runs' ? undefined : next, from: place.from, to: place.to })}
        />
        {runs.isError && <ErrorState error={runs.error} onRetry={() => void runs.refetch()} className="m-0" />}
        {view === 'cases' && <CasesPart set={set} />}
        {view === 'runs' &&
          (runs.isPending ? (
            <Loading rows={5} onRetry={() => void runs.refetch()} />
          ) : (
            <RunsPart
              set={set}
              runs={items}
              chosen={place.run}
              onChoose={(run) => show({ run })}
              onCompare={(from, to) => show({ view: 'compare', from, to })}
              onMore={runs.hasNextPage ? () => void runs.fetchNextPage() : undefined}
            />
          ))}
        {view === 'compare' && <ComparePart set={set} runs={items} place={place} onPlace={show} />}
      </div>
    </Page>
  );
}
