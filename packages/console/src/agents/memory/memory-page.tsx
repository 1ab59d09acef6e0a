import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Brain } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { CorrectMemory } from './correct-memory.tsx';
import { DeleteMemory } from './delete-memory.tsx';
import { ErasePerson } from './erase-person.tsx';
import { type Memory, nameSubject, useMemories } from './memories.ts';
import { MemoryRow } from './memory-row.tsx';

const words = agentTabTexts.memory;
type Asked = { what: 'correct' | 'delete' | 'erase'; memory: Memory };

/** What an agent remembers across its chats. Whom it is about and what is looked for stand in the address. */
export function MemoryPage() {
  const { mayEdit } = useEditor();
  const { agent } = useDraft();
  const { id: w } = useWorkspace();
  const { search = '', about } = useSearch({ from: '/signed-in/w/$w/agents/$id/memory' });
  const navigate = useNavigate({ from: '/w/$w/agents/$id/memory' });
  const show = (next: { search?: string | undefined; about?: string | undefined }) =>
    void navigate({ search: next, replace: true });
  const query = useMemories(agent.id, useDeferredValue(search.trim()), about);
  const [asked, setAsked] = useState<Asked>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const someone = about ? items.find(({ subject_id }) => subject_id === about) : undefined;
  const name = someone && nameSubject(someone);
  const close = () => setAsked(undefined);
  /** The row that took the place of a deleted one gets the focus. */
  const focusAt = (index: number) =>
    setTimeout(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>(':scope > li') ?? [];
      (rows[Math.min(index, rows.length - 1)] ?? field.current)?.focus();
    }, 50);
  return (
    <div className="min-w-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        <div className="flex flex-wrap items-center gap-3">
          <TextInput
            ref={field}
            type="search"
            aria-label={words.find}
            placeholder={words.find}
            value={search}
            onChange={({ target }) => show({ search: target.value || undefined, about })}
            className="max-w-80"
          />
          {about && (
            <Chip tone="accent" onRemove={() => show({ search: search || undefined })} removeLabel={words.showAll}>
              {words.onlyAbout(name ?? words.somebody)}
            </Chip>
          )}
          {query.data && (
            <span className="num ml-auto text-dense text-text-3">{words.count(query.data.pages[0]?.total ?? 0)}</span>
          )}
          {someone && name && (
            <Button
              look="danger"
              refused={!mayEdit && agentTexts.needsEdit}
              onClick={() => setAsked({ what: 'erase', memory: someone })}
            >
              {words.erase(name)}
            </Button>
          )}
        </div>
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {items.length > 0 && (
          <ul ref={list} aria-label={words.list} className="divide-y divide-line rounded-3 border border-line">
            {items.map((memory) => (
              <MemoryRow
                key={memory.id}
                memory={memory}
                onAbout={() => show({ about: memory.subject_id ?? undefined })}
                onCorrect={() => setAsked({ what: 'correct', memory })}
                onDelete={() => setAsked({ what: 'delete', memory })}
              />
            ))}
          </ul>
        )}
        {query.hasNextPage && (
          <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        )}
        {query.isSuccess && items.length === 0 && (
          <EmptyState
            icon={<Brain size={20} aria-hidden />}
            {...(search || about ? { title: words.noneFound } : words.none)}
          >
            {search || about ? (
              <Button onClick={() => show({})}>{t.ui.clearFilters}</Button>
            ) : (
              <Link to="/w/$w/agents/$id/build" params={{ w, id: agent.id }} search={{ group: 'tools' }}>
                {words.toTools}
              </Link>
            )}
          </EmptyState>
        )}
      </div>
      {asked?.what === 'correct' && <CorrectMemory memory={asked.memory} onClose={close} />}
      {asked?.what === 'delete' && (
        <DeleteMemory
          memory={asked.memory}
          onClose={close}
          onDeleted={() => focusAt(items.findIndex(({ id }) => id === asked.memory.id))}
        />
      )}
      {asked?.what === 'erase' && (
        <ErasePerson
          memory={asked.memory}
          onClose={close}
          onErased={() => {
            show({});
            focusAt(0);
          }}
        />
      )}
    </div>
  );
}
