import { AtriumError } from '@atrium/sdk';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useWorkspace } from '../../api/session.ts';
import { useReferenceName } from '../../forms/use-references.ts';
import { runTexts } from '../../text/runs.ts';
import { traceTexts as words } from '../../text/traces.ts';
import { Chip } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordFailure } from '../../ui/record-failure.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { hiddenOf, nameRun, type Run, toneOf } from '../runs.ts';
import { TraceActions } from './trace-actions.tsx';
import { TraceView } from './trace-view.tsx';
import { useTrace } from './use-trace.ts';

/** One run: its steps on a time axis, and beside them what each was given and gave. */
export function TracePage() {
  const { id } = useParams({ from: '/signed-in/w/$w/runs/$id' });
  const { id: w } = useWorkspace();
  const { run, trace } = useTrace(id);
  const workflow = useReferenceName('workflow', run.data?.kind === 'workflow' ? run.data.workflow_id : '');
  const retry = () => void Promise.all([run.refetch(), trace.refetch()]);
  const crumb = { label: runTexts.title, to: `/w/${w}/runs` };
  if (run.isError && !run.data)
    return (
      <Page title={runTexts.title} crumb={crumb} guide="insights">
        <RecordFailure error={run.error} onRetry={retry} list={crumb} />
      </Page>
    );
  if (!run.data || (trace.isPending && !trace.isError))
    return (
      <Page title={runTexts.title} crumb={crumb} guide="insights">
        <Loading rows={8} onRetry={retry} />
      </Page>
    );
  const hidden = hiddenOf(run.data);
  const failedStep = run.data.kind === 'workflow' ? run.data.error?.node_id : undefined;
  const status = trace.data?.status ?? run.data.status;
  return (
    <Page
      key={id}
      title={workflow ?? shorten(nameRun(run.data))}
      crumb={crumb}
      guide="insights"
      beside={
        <Chip tone={toneOf(status)} dot>
          {runTexts.statuses[status] ?? status}
        </Chip>
      }
      actions={<TraceActions run={run.data} trace={trace.data} />}
      scrolls={false}
    >
      {trace.data ? (
        <Steps run={run.data} trace={trace.data} />
      ) : hidden ? (
        <EmptyState icon={<Lock size={20} aria-hidden />} {...runTexts.hidden[hidden]}>
          {failedStep && <p className="text-dense">{words.failedAt(failedStep)}</p>}
        </EmptyState>
      ) : isRefused(trace.error) ? (
        <EmptyState {...words.mayNotRead} />
      ) : (
        <div className="flex-1">
          <ErrorState error={trace.error} onRetry={retry} />
        </div>
      )}
    </Page>
  );
}

const mostLetters = 64;
const shorten = (name: string) => (name.length > mostLetters ? `${name.slice(0, mostLetters).trimEnd()}…` : name);

/** To people who may not read it, a trace does not exist. */
const isRefused = (error: unknown) => error instanceof AtriumError && (error.status === 404 || error.status === 403);

function Steps({ run, trace }: { run: Run; trace: NonNullable<ReturnType<typeof useTrace>['trace']['data']> }) {
  const search = useSearch({ from: '/signed-in/w/$w/runs/$id' });
  const navigate = useNavigate({ from: '/w/$w/runs/$id' });
  return (
    <TraceView
      run={run}
      trace={trace}
      place={search}
      onPlace={(next) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true })}
    />
  );
}
