import { useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { siteTexts } from '../../text/knowledge/sites.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { type Rhythm, rhythmOf, rhythms, type Site } from './sites.ts';

const words = siteTexts;
const rhythmNames: readonly Rhythm[] = ['none', 'hourly', 'daily', 'weekly', 'other'];

interface SiteDialogProps {
  site: Site | undefined;
  onClose: () => void;
  onSaved: (id: string) => void;
}

/** A web site to read: where the crawl starts, how far it goes, and when it comes again. */
export function SiteDialog({ site, onClose, onSaved }: SiteDialogProps) {
  const client = useClient();
  const base = useBase();
  const refresh = useRefreshBase();
  const formId = useId();
  const [url, setUrl] = useState(site?.url ?? '');
  const [prefix, setPrefix] = useState(site?.prefix ?? '/web');
  const [depth, setDepth] = useState(String(site?.depth ?? 2));
  const [maxPages, setMaxPages] = useState(String(site?.max_pages ?? 100));
  const [schedule, setSchedule] = useState(site?.schedule ?? '');
  const [isOther, setOther] = useState(rhythmOf(schedule) === 'other');
  const [onGone, setOnGone] = useState<Site['on_gone']>(site?.on_gone ?? 'remove');
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    const how = { depth: Number(depth), max_pages: Number(maxPages), schedule: schedule.trim(), on_gone: onGone };
    const saved = site
      ? await client.sites.update(base.id, site.id, how, { ifMatch: site.etag })
      : await client.sites.create(base.id, { ...how, url: url.trim(), prefix: prefix.trim() || '/' });
    await refresh();
    onSaved(saved.id);
  });
  const rhythm = isOther ? 'other' : rhythmOf(schedule);
  return (
    <Dialog
      open
      onClose={onClose}
      title={site ? words.editTitle(site.url) : words.addTitle}
      help={words.addHelp}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!url.trim()}>
            {site ? words.save : words.submit}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {!site && (
          <>
            <Field label={words.url} help={words.urlHelp} error={faultOf('url')}>
              <TextInput data-autofocus type="url" value={url} onChange={({ target }) => setUrl(target.value)} />
            </Field>
            <Field label={words.prefix} help={words.prefixHelp} error={faultOf('prefix')}>
              <TextInput value={prefix} maxLength={1000} onChange={({ target }) => setPrefix(target.value)} />
            </Field>
          </>
        )}
        <div className="grid grid-cols-2 gap-4 max-phone:grid-cols-1">
          <Field label={words.depth} help={words.depthHelp} error={faultOf('depth')}>
            <TextInput type="number" min={0} max={20} value={depth} onChange={({ target }) => setDepth(target.value)} />
          </Field>
          <Field label={words.maxPages} help={words.maxPagesHelp} error={faultOf('max_pages')}>
            <TextInput
              type="number"
              min={1}
              max={10_000}
              value={maxPages}
              onChange={({ target }) => setMaxPages(target.value)}
            />
          </Field>
        </div>
        <Field label={words.schedule}>
          <Select
            value={rhythm}
            options={rhythmNames.map((value) => ({ value, label: words.schedules[value] }))}
            onChange={(next) => {
              setOther(next === 'other');
              if (next !== 'other') setSchedule(rhythms[next as keyof typeof rhythms]);
            }}
          />
        </Field>
        {rhythm === 'other' && (
          <Field label={words.cron} help={words.cronHelp} error={faultOf('schedule')}>
            <TextInput mono value={schedule} onChange={({ target }) => setSchedule(target.value)} />
          </Field>
        )}
        <Field label={words.onGone} group>
          <Segmented
            label={words.onGone}
            value={onGone}
            options={(['remove', 'mark'] as const).map((value) => ({ value, label: words.gone[value] }))}
            onChange={setOnGone}
          />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
