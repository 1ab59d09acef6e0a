import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { GitCompare, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { readGraph } from '../graph/read-graph.ts';
import { versionsQuery } from '../queries.ts';
import { Comparison } from './comparison.tsx';

const words = workflowTexts.versions;

/** The versions of a workflow, the newest first; two of them compared beside. */
export function VersionsPage() {
  const { store, mayEdit } = useEditor();
  const client = useClient();
  const { id: w } = useWorkspace();
  const workflow = useFlow((state) => state.workflow);
  const { from, to } = useSearch({ from: '/signed-in/w/$w/workflows/$id/versions' });
  const navigate = useNavigate({ from: '/w/$w/workflows/$id/versions' });
  const query = useQuery(versionsQuery(client, w, workflow.id));
  const [asked, setAsked] = useState<{ id: string; name: string }>();
  const versions = (query.data ?? []).toSorted((one, other) => other.created_at.localeCompare(one.created_at));
  const compare = (next: { from: string | undefined; to: string | undefined }) =>
    void navigate({ search: next, replace: true });
  const goBack = async ({ id, name }: { id: string; name: string }) => {
    const version = await client.workflowVersions.get(workflow.id, id);
    store.change(flowTexts.commands.takeVersion, readGraph(version.definition));
    await store.flush();
    sayToast({ text: words.tookBack(name) });
  };
  if (query.isSuccess && versions.length === 0)
    return (
      <div className="flex-1 overflow-y-auto">
        <EmptyState icon={<GitCompare size={20} aria-hidden />} {...words.none} />
      </div>
    );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-narrow:flex-col max-narrow:overflow-y-auto">
      <section
        aria-label={words.title}
        className="w-100 flex-none overflow-y-auto border-r border-line max-narrow:w-auto max-narrow:border-r-0 max-narrow:border-b"
      >
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="divide-y divide-line">
          {versions.map(({ id, name, description, valid, created_by_actor, created_at }, index) => (
            <li
              key={id}
              className={cx('flex flex-col gap-1.5 px-4 py-3', (from === id || to === id) && 'bg-accent-soft')}
            >
              <p className="flex flex-wrap items-center gap-2">
                <span className="truncate font-medium">{name}</span>
                {!valid && <Chip tone="bad">{words.faulty}</Chip>}
              </p>
              {description && <p className="text-dense break-words">{description}</p>}
              <p className="text-caption text-text-2">
                <time dateTime={created_at} title={sayExactTime(created_at)}>
                  {created_by_actor?.name ? words.by(created_by_actor.name, sayTime(created_at)) : sayTime(created_at)}
                </time>
              </p>
              <span className="flex flex-wrap gap-2">
                <Button
                  size="small"
                  aria-label={words.compareWithNow(name)}
                  icon={<GitCompare size={14} aria-hidden />}
                  onClick={() =>
                    compare(
                      index === 0 && versions[1] ? { from: versions[1].id, to: id } : { from: id, to: 'published' },
                    )
                  }
                >
                  {words.compare}
                </Button>
                <Button
                  size="small"
                  icon={<Undo2 size={14} aria-hidden />}
                  refused={!mayEdit && workflowTexts.needsEdit}
                  onClick={() => setAsked({ id, name })}
                >
                  {words.goBack}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section
        aria-label={words.compare}
        className="min-w-0 flex-1 overflow-y-auto p-5 max-narrow:flex-none max-narrow:p-3"
      >
        <Comparison versions={versions} from={from} to={to} onCompare={compare} />
      </section>
      {asked && (
        <Confirm
          open
          look="primary"
          onClose={() => setAsked(undefined)}
          title={words.goBackTitle(asked.name)}
          help={words.goBackHelp}
          action={words.goBack}
          onConfirm={() => goBack(asked)}
        />
      )}
    </div>
  );
}
