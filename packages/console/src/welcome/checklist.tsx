import { Link } from '@tanstack/react-router';
import { Check, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useMay, useWorkspace } from '../api/session.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { isAway, putAway } from './checklist-away.ts';
import { type Item, useChecklist } from './use-checklist.ts';

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
      <ul className="grid gap-x-6 narrow:grid-cols-2">
        {items.map((item) => (
          <ChecklistRow key={item.key} item={item} w={w} />
        ))}
      </ul>
    </section>
  );
}

/** One step. What is done stays a link: the steps are a way around, too. */
function ChecklistRow({ item: { key, done, help, to, search }, w }: { item: Item; w: string }) {
  return (
    <li className="flex min-h-9 items-center gap-2.5">
      <span
        className={cx(
          'grid size-5 flex-none place-items-center rounded-full',
          done ? 'bg-ok-soft text-ok' : 'border border-control',
        )}
      >
        {done && <Check size={12} aria-hidden />}
        {done && <span className="sr-only">{words.done}</span>}
      </span>
      {to ? (
        <Link
          to={to}
          search={(search ? { ...search, w } : {}) as never}
          className={cx(
            'flex min-w-0 flex-1 items-center gap-2 rounded-2 py-1.5 text-label hover:text-accent pointer-coarse:min-h-11',
            done ? 'text-text-3' : 'font-medium text-text',
          )}
        >
          <span className="min-w-0 flex-1">
            {words[key]}
            {help && !done && <span className="block text-dense font-normal text-text-2">{help}</span>}
          </span>
          <ChevronRight size={14} aria-hidden className="flex-none text-text-3" />
        </Link>
      ) : (
        <span className={cx('text-label', done && 'text-text-3')}>{words[key]}</span>
      )}
    </li>
  );
}
