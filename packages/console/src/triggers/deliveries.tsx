import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { sayExactTime, sayTime } from '../lib/time.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';
import { sayFailure, sayToast } from '../ui/toast.tsx';
import { type Delivery, type Trigger, useRefreshTriggers } from './triggers.ts';

const words = agentTabTexts.triggers;
const tones = { pending: 'info', started: 'ok', failed: 'bad' } as const;

/** What fired a trigger, the newest first, each with its chat. */
export function Deliveries({ trigger }: { trigger: Trigger }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const title = useId();
  const query = useInfiniteQuery({
    queryKey: [w, 'triggers', 'deliveries', trigger.id],
    queryFn: ({ pageParam }) => client.triggers.listDeliveries(trigger.id, { page: pageParam, size: 20 }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    // No event tells that a delivery has begun its run.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'pending')) ? 1500 : false,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h3 id={title} className="text-section">
        {words.deliveries}
      </h3>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.isSuccess && items.length === 0 && <p className="text-dense text-text-2">{words.noDeliveries}</p>}
      {items.length > 0 && (
        <ul className="divide-y divide-line rounded-3 border border-line">
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} trigger={trigger} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
    </section>
  );
}

function DeliveryRow({ delivery, trigger }: { delivery: Delivery; trigger: Trigger }) {
  const kind = trigger.workflow_id ? 'workflow' : 'agent';
  const mayFire = trigger.may?.['fire'] === true;
  const { id, trigger_id, status, source, fired_at, run_id, error } = delivery;
  const client = useClient();
  const refresh = useRefreshTriggers();
  const [busy, setBusy] = useState(false);
  const repeat = async () => {
    setBusy(true);
    try {
      await client.triggers.redeliver(trigger_id, id);
      sayToast({ text: words.fired });
    } catch (failure) {
      sayFailure(failure);
    }
    await refresh();
    setBusy(false);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5 text-dense">
      <Chip tone={tones[status]} dot>
        {words.statuses[status]}
      </Chip>
      <span>{words.sources[source]}</span>
      <time dateTime={fired_at} title={sayExactTime(fired_at)} className="text-text-3">
        {sayTime(fired_at)}
      </time>
      <span className="ml-auto flex items-center gap-3">
        {run_id &&
          (trigger.workflow_id ? (
            <RunOfWorkflow workflowId={trigger.workflow_id} runId={run_id} />
          ) : (
            <ChatOfRun runId={run_id} />
          ))}
        {status === 'failed' && (
          <Button size="small" busy={busy} refused={!mayFire && words.needsRun[kind]} onClick={() => void repeat()}>
            {words.repeat}
          </Button>
        )}
      </span>
      {error && status !== 'started' && <p className="w-full break-words text-bad">{error.message}</p>}
    </li>
  );
}

/** The way to the chat that a run answers in. */
function ChatOfRun({ runId }: { runId: string }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'runs', 'chat-of', runId],
    queryFn: () => client.runs.get(runId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data || !('conversation_id' in data)) return null;
  return (
    <Link
      to="/w/$w/chat/$id"
      params={{ w, id: data.conversation_id }}
      className="inline-flex min-h-6 items-center font-medium pointer-coarse:min-h-11"
    >
      {words.openChat}
    </Link>
  );
}

/** The way to the run beside the steps of its workflow. */
function RunOfWorkflow({ workflowId, runId }: { workflowId: string; runId: string }) {
  const { id: w } = useWorkspace();
  return (
    <Link
      to="/w/$w/workflows/$id"
      params={{ w, id: workflowId }}
      search={{ run: runId }}
      className="inline-flex min-h-6 items-center font-medium pointer-coarse:min-h-11"
    >
      {words.openRun}
    </Link>
  );
}
