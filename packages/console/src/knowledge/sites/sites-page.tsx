import { useNavigate, useSearch } from '@tanstack/react-router';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { siteTexts } from '../../text/knowledge/sites.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import { SiteDetails } from './site-details.tsx';
import { SiteDialog } from './site-dialog.tsx';
import { SiteRow } from './site-row.tsx';
import { type Site, useSites } from './sites.ts';

const words = siteTexts;

/** Web sites that feed the knowledge base; the chosen one is in the address. */
export function SitesPage() {
  const base = useBase();
  const mayEdit = useMay()('kbs_edit');
  const { site: chosenId } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/sites' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/sites' });
  const query = useSites(base.id);
  const [edited, setEdited] = useState<Site | 'new'>();
  const choose = (site: string | undefined) => void navigate({ search: { site }, replace: true });
  const items = query.data ?? [];
  const chosen = items.find(({ id }) => id === chosenId) ?? (chosenId ? undefined : items[0]);
  const addButton = (
    <Button
      look="primary"
      icon={<Plus size={15} aria-hidden />}
      refused={!mayEdit && baseTexts.needsEdit}
      onClick={() => setEdited('new')}
    >
      {words.add}
    </Button>
  );
  const dialog = edited && (
    <SiteDialog
      site={edited === 'new' ? undefined : edited}
      onClose={() => setEdited(undefined)}
      onSaved={(id) => {
        setEdited(undefined);
        choose(id);
      }}
    />
  );
  if (query.isSuccess && items.length === 0)
    return (
      <div className="flex-1 overflow-y-auto">
        <EmptyState icon={<Globe size={20} aria-hidden />} {...words.none}>
          {addButton}
        </EmptyState>
        {dialog}
      </div>
    );
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <section
        aria-label={words.list}
        className={cx(
          'w-full overflow-y-auto border-line narrow:w-110 narrow:flex-none narrow:border-r',
          chosenId && 'max-narrow:hidden',
        )}
      >
        <div className="flex justify-end px-4 py-3">{addButton}</div>
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="divide-y divide-line border-y border-line empty:hidden">
          {items.map((site) => (
            <SiteRow key={site.id} site={site} isChosen={site.id === chosen?.id} onChoose={() => choose(site.id)} />
          ))}
        </ul>
      </section>
      <div className={cx('min-w-0 flex-1 overflow-y-auto', !chosenId && 'max-narrow:hidden')}>
        {chosen ? (
          <SiteDetails
            key={chosen.id}
            site={chosen}
            onEdit={() => setEdited(chosen)}
            onBack={() => choose(undefined)}
          />
        ) : (
          query.isSuccess && (
            <EmptyState {...t.failures.gone}>
              <Button onClick={() => choose(undefined)}>{words.toList}</Button>
            </EmptyState>
          )
        )}
      </div>
      {dialog}
    </div>
  );
}
