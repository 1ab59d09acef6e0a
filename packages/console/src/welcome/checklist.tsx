import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay, useWorkspace } from '../api/session.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { isAway, putAway } from './checklist-away.ts';

const words = welcomeTexts.checklist;

/** What is left of the first start, for the chat's start page. Nothing once all is done or put away. */
export function Checklist() {
  const { id } = useWorkspace();
  const may = useMay();
  const [away, setAway] = useState(() => isAway(id));
  if (away || !may('workspace_admin')) return null;
  return (
    <ChecklistItems
      onPutAway={() => {
        putAway(id);
        setAway(true);
      }}
    />
  );
}

function ChecklistItems({ onPutAway }: { onPutAway: () => void }) {
  const { id: w } = useWorkspace();
  const items = useChecklist();
  const left = items?.filter(({ done }) => !done).length ?? 0;
  if (!items || left === 0) return null;
  return (
    <section aria-labelledby="checklist-title" className="rounded-3 border border-line bg-surface p-4">
      <header className="mb-2 flex items-center gap-2">
        <h2 id="checklist-title" className="text-label font-semibold">
          {words.title}
        </h2>
        <span className="text-dense text-text-3">{words.left(left)}</span>
        <Button look="ghost" size="small" className="ml-auto" onClick={onPutAway}>
          {words.putAway}
        </Button>
      </header>
      <ul className="flex flex-col">
        {items.map(({ key, done, help, to, search }) => (
          <li key={key} className="flex min-h-9 items-center gap-2.5">
            <span
              className={cx(
                'grid size-5 flex-none place-items-center rounded-full',
                done ? 'bg-ok-soft text-ok' : 'border border-control',
              )}
            >
              {done && <Check size={12} aria-hidden />}
              {done && <span className="sr-only">{words.done}</span>}
            </span>
            {done || !to ? (
              <span className={cx('text-label', done && 'text-text-3')}>{words[key]}</span>
            ) : (
              <Link
                to={to}
                search={{ ...search, w } as never}
                className="flex min-w-0 flex-1 items-center gap-2 rounded-2 py-1.5 pointer-coarse:min-h-11 text-label font-medium text-text hover:text-accent"
              >
                <span className="min-w-0 flex-1">
                  {words[key]}
                  {help && <span className="block text-dense font-normal text-text-2">{help}</span>}
                </span>
                <ChevronRight size={14} aria-hidden className="flex-none text-text-3" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Item {
  key: 'model' | 'agent' | 'chat' | 'invite';
  done: boolean;
  help?: string;
  to?: string;
  search?: Record<string, string>;
}

/** Undefined until all of it is known, so that nothing jumps. */
function useChecklist(): Item[] | undefined {
  const client = useClient();
  const { id } = useWorkspace();
  const { data } = useQuery({
    queryKey: [id, 'agents', 'checklist'],
    queryFn: async () => {
      const few = { page_size: 1, view: 'summary' } as const;
      const [models, agents, chats, members, invitations] = await Promise.all([
        client.models.list(),
        client.agents.list(few),
        client.conversations.list(few),
        client.members.list(id),
        client.invitations.list(id),
      ]);
      return {
        model: models.some(({ kind }) => kind === 'llm'),
        agent: agents.total > 0,
        chat: chats.total > 0,
        invite: members.length > 1 || invitations.length > 0,
      };
    },
    staleTime: 60_000,
  });
  return (
    data && [
      { key: 'model', done: data.model, help: words.modelLeft, to: '/welcome', search: { step: 'model' } },
      { key: 'agent', done: data.agent, to: '/welcome', search: { step: 'agent' } },
      { key: 'chat', done: data.chat },
      { key: 'invite', done: data.invite, to: '/welcome', search: { step: 'try' } },
    ]
  );
}
