import { Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import type { Passage } from '../queries.ts';

const words = documentTexts.one;

interface PassageRowProps {
  passage: Passage;
  isAsked: boolean;
  isDimmed: boolean;
  /** Why it can't be changed. */
  refused: string | false;
  onEdit: () => void;
}

/** A passage with its place. It can be edited and switched off; one that was added by hand can be deleted. */
export function PassageRow({ passage, isAsked, isDimmed, refused, onEdit }: PassageRowProps) {
  const { id, position, content, page, headings, enabled, added, original, etag, changed_at, changed_by_actor } =
    passage;
  const client = useClient();
  const base = useBase();
  const refresh = useRefreshBase();
  const [busy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const place = position + 1;
  useEffect(() => {
    if (isAsked) row.current?.scrollIntoView({ block: 'center' });
  }, [isAsked]);
  const switchTo = async (on: boolean) => {
    setBusy(true);
    try {
      await client.passages.update(base.id, id, { enabled: on }, { ifMatch: etag });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  return (
    <li
      ref={row}
      aria-current={isAsked || undefined}
      className={cx('rounded-3 border bg-surface px-3.5 py-2.5', isAsked ? 'border-accent shadow-1' : 'border-line')}
    >
      <div className="flex flex-wrap items-center gap-2 text-caption text-text-3">
        <span className="num font-medium text-text-2">{words.passage(place)}</span>
        {page !== null && <span className="num">{words.page(page)}</span>}
        {isAsked && <Chip tone="accent">{words.cited}</Chip>}
        {!enabled && <Chip tone="warn">{words.off}</Chip>}
        {added && <Chip tone="info">{words.added}</Chip>}
        {original !== null && <Chip tone="info">{words.edited}</Chip>}
        <span className="ml-auto flex items-center gap-1">
          <IconButton
            label={words.editOf(place)}
            icon={<Pencil size={14} />}
            disabled={Boolean(refused)}
            onClick={onEdit}
          />
          {added && (
            <IconButton
              label={words.deletePassageOf(place)}
              icon={<Trash2 size={14} />}
              disabled={Boolean(refused)}
              onClick={() => setDeleting(true)}
            />
          )}
          <Switch
            label={words.on(place)}
            checked={enabled}
            disabled={busy || Boolean(refused)}
            onChange={(on) => void switchTo(on)}
          />
        </span>
      </div>
      {headings.length > 0 && <p className="mt-1 truncate text-caption text-text-3">{headings.join(' › ')}</p>}
      <p
        dir="auto"
        className={cx(
          'mt-1 text-label wrap-anywhere whitespace-pre-wrap',
          isAsked && 'border-l-2 border-accent pl-2.5',
          (isDimmed || !enabled) && 'text-text-3',
        )}
      >
        {content}
      </p>
      {changed_at && changed_by_actor?.name && (
        <p className="mt-1 text-caption text-text-3">{words.by(changed_by_actor.name, sayTime(changed_at))}</p>
      )}
      {isDeleting && (
        <Confirm
          open
          onClose={() => setDeleting(false)}
          title={words.deleteTitle}
          help={words.deleteHelp}
          action={words.deleteSubmit}
          onConfirm={async () => {
            await client.passages.delete(base.id, id);
            await refresh();
          }}
        />
      )}
    </li>
  );
}
