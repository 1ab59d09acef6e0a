import { ArrowLeft, CircleAlert, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { siteTexts } from '../../text/knowledge/sites.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { RightsEditor } from '../document/rights-editor.tsx';
import { sayFolder } from '../queries.ts';
import { SitePages } from './site-pages.tsx';
import { sayRhythm } from './site-row.tsx';
import type { Site } from './sites.ts';

const words = siteTexts;

interface SiteDetailsProps {
  site: Site;
  onEdit: () => void;
  onBack: () => void;
}

/** How a web site is read, what the last crawl did with each page, and who sees what came from it. */
export function SiteDetails({ site, onEdit, onBack }: SiteDetailsProps) {
  const client = useClient();
  const base = useBase();
  const may = useMay();
  const refresh = useRefreshBase();
  const [busy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [keeps, setKeeps] = useState(false);
  const refused = !may('kbs_edit') && baseTexts.needsEdit;
  const crawl = async () => {
    setBusy(true);
    try {
      await client.sites.crawl(base.id, site.id);
      sayToast({ text: words.crawling });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  const facts: [string, string][] = [
    [words.prefix, sayFolder(site.prefix)],
    [words.depth, String(site.depth)],
    [words.maxPages, String(site.max_pages)],
    [words.schedule, sayRhythm(site.schedule)],
    [words.onGone, words.gone[site.on_gone]],
  ];
  return (
    <div className="mx-auto flex max-w-180 flex-col gap-5 px-5 py-4 max-narrow:px-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="narrow:hidden">
          <IconButton label={words.toList} icon={<ArrowLeft size={16} />} onClick={onBack} />
        </span>
        <h2 className="min-w-0 flex-1 text-section break-all">{site.url}</h2>
        <Button
          icon={<RefreshCw size={14} aria-hidden />}
          busy={busy || site.status === 'crawling'}
          refused={refused}
          onClick={() => void crawl()}
        >
          {site.status === 'crawling' ? words.statuses.crawling : words.crawl}
        </Button>
        <Button refused={refused} onClick={onEdit}>
          {words.edit}
        </Button>
        <Button look="danger" refused={!may('kbs_delete') && baseTexts.needsDelete} onClick={() => setDeleting(true)}>
          {words.remove}
        </Button>
      </div>
      {site.error && (
        <Banner tone="bad" icon={<CircleAlert size={16} aria-hidden />} title={words.failed}>
          {site.error.message}
        </Banner>
      )}
      <dl className="num grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 text-dense">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-text-3">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SitePages site={site} />
      <RightsEditor
        key={JSON.stringify(site.visible_to)}
        value={site.visible_to}
        disabled={!may('kbs_edit')}
        onSave={async (visible_to) => {
          await client.sites.update(base.id, site.id, { visible_to }, { ifMatch: site.etag });
          await refresh();
        }}
      />
      {isDeleting && (
        <Confirm
          open
          onClose={() => setDeleting(false)}
          title={words.removeTitle(site.url)}
          help={words.removeHelp(site.documents)}
          action={words.removeSubmit}
          onConfirm={async () => {
            await client.sites.delete(base.id, site.id, { keep_documents: keeps });
            onBack();
            await refresh();
            sayToast({ text: words.removed });
          }}
        >
          <Checkbox label={words.keepDocuments} checked={keeps} onChange={setKeeps} />
        </Confirm>
      )}
    </div>
  );
}
