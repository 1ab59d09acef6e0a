import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Link2, Scale, Search, X } from 'lucide-react';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { SearchResults } from './search-results.tsx';

const TrialDrawer = lazyPart(() => import('./trial-drawer.tsx').then(({ TrialDrawer }) => ({ default: TrialDrawer })));
const words = searchTexts;

/** A search with its reasons, by the settings in force and by others on trial. The address is the whole of it. */
export function SearchPage() {
  const base = useBase();
  const { id: w } = useWorkspace();
  const may = useMay();
  const { q = '', prefix, trial } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/search' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/search' });
  const [typed, setTyped] = useState(q);
  const [isChanging, setChanging] = useState(false);
  const [side, setSide] = useState<'stored' | 'trial'>('stored');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(q), [q]);
  useShortcuts([{ keys: '/', label: words.question, onPress: () => field.current?.focus() }]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim()) void navigate({ search: (old) => ({ ...old, q: typed.trim() }) });
  };
  const setTrial = (next: Record<string, unknown> | undefined) =>
    void navigate({ search: (old) => ({ ...old, trial: next }), replace: true });
  const copy = () =>
    navigator.clipboard.writeText(location.href).then(
      () => sayToast({ text: words.copied }),
      () => sayToast({ text: t.ui.cantCopy, bad: true }),
    );
  if (base.trained_documents === 0 && !q)
    return (
      <div className="flex-1 overflow-y-auto">
        <EmptyState icon={<Search size={20} aria-hidden />} {...words.emptyBase}>
          <Link to="/w/$w/knowledge/$id/documents" params={{ w, id: base.id }}>
            {words.toDocuments}
          </Link>
        </EmptyState>
      </div>
    );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-bg">
      <div className="flex flex-none flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-3">
        <form onSubmit={submit} className="flex min-w-60 flex-1 gap-2">
          <TextInput
            ref={field}
            type="search"
            aria-label={words.question}
            placeholder={words.placeholder}
            value={typed}
            maxLength={10_000}
            onChange={({ target }) => setTyped(target.value)}
            className="max-w-200"
          />
          <Button look="primary" type="submit" icon={<Search size={15} aria-hidden />} disabled={!typed.trim()}>
            {words.submit}
          </Button>
        </form>
        <Button
          icon={<Scale size={15} aria-hidden />}
          refused={!may('kbs_advanced') && baseTexts.needsAdvanced}
          onClick={() => setChanging(true)}
        >
          {trial ? words.change : words.compare}
        </Button>
        {trial && (
          <Button look="ghost" icon={<X size={15} aria-hidden />} onClick={() => setTrial(undefined)}>
            {words.endTrial}
          </Button>
        )}
        {q && (
          <Button look="ghost" icon={<Link2 size={15} aria-hidden />} onClick={() => void copy()}>
            {words.copyLink}
          </Button>
        )}
      </div>
      {trial && (
        <div className="px-4 pt-3 narrow:hidden">
          <Segmented
            label={words.results}
            value={side}
            options={[
              { value: 'stored', label: words.stored },
              { value: 'trial', label: words.trial },
            ]}
            onChange={setSide}
          />
        </div>
      )}
      {!q && <EmptyState icon={<Search size={20} aria-hidden />} {...words.start} />}
      {q && (
        <div className="flex min-h-0 flex-1">
          <SearchResults
            q={q}
            prefix={prefix}
            title={words.stored}
            trial={undefined}
            isHidden={trial !== undefined && side !== 'stored'}
          />
          {trial && (
            <SearchResults q={q} prefix={prefix} title={words.trial} trial={trial} isHidden={side !== 'trial'} />
          )}
        </div>
      )}
      <Suspense>
        {isChanging && (
          <TrialDrawer
            trial={trial ?? {}}
            onClose={() => setChanging(false)}
            onTake={(next) => {
              setChanging(false);
              setTrial(Object.keys(next).length ? next : undefined);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
