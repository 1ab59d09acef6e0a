import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import type { Form, FormField } from '../../forms/form-types.ts';
import { formTexts } from '../../text/forms.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { settingTexts } from '../../text/knowledge/sites.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { UseList } from '../base/use-list.tsx';
import { baseFormQuery, usesQuery } from '../queries.ts';
import { SettingConflict } from './setting-conflict.tsx';
import { SettingGroup } from './setting-group.tsx';
import { useSettings } from './use-settings.ts';

const words = settingTexts;

/** Whether each word that was typed stands in the name, key or help of a setting. */
const fits = ({ label, key, help }: FormField, typed: string) => {
  const text = `${label} ${key} ${help}`.toLowerCase();
  return typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** All settings of a knowledge base, as the server describes them. */
export function SettingsPage() {
  const query = useQuery(baseFormQuery);
  if (query.data) return <LoadedSettings description={query.data} />;
  return (
    <div className="flex-1 overflow-y-auto">
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading rows={10} onRetry={() => void query.refetch()} />
      )}
    </div>
  );
}

function LoadedSettings({ description }: { description: Form }) {
  const base = useBase();
  const { id: w } = useWorkspace();
  const mayEdit = useMay()('kbs_edit');
  const { group: chosen, find = '' } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/settings' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/settings' });
  const { data: uses } = useQuery(usesQuery(useClient(), w, base.id));
  const fields = useMemo(() => description.fields.filter(({ control }) => control !== 'none'), [description]);
  const settings = useSettings(fields);
  const [isAsking, setAsking] = useState(false);
  const found = find.trim() ? new Set(fields.filter((field) => fits(field, find))) : undefined;
  const group = description.groups.find((each) => each.group === chosen) ?? description.groups[0];
  const shown = found ? description.groups : description.groups.filter((each) => each === group);
  const { changed, busy, conflict } = settings;
  const save = async () => setAsking(!(await settings.save()));
  const show = (next: { group?: string | undefined; find?: string | undefined }) =>
    void navigate({ search: next, replace: true });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-narrow:flex-col">
      <nav
        aria-label={words.groups}
        className="flex w-56 flex-none flex-col gap-1 overflow-y-auto border-r border-line bg-bg p-3 max-narrow:w-full max-narrow:border-r-0 max-narrow:border-b"
      >
        <TextInput
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={find}
          onChange={({ target }) => show({ group: chosen, find: target.value || undefined })}
          className="mb-2"
        />
        <div className="flex flex-col gap-1 max-narrow:flex-row max-narrow:flex-wrap">
          {description.groups.map((each) => {
            const count = settings.changedIn(each.group);
            return (
              <button
                key={each.group}
                type="button"
                aria-current={(!found && each === group) || undefined}
                onClick={() => show({ group: each.group })}
                className="flex min-h-8 items-center gap-2 rounded-2 px-2.5 text-left text-label font-medium text-text-2 hover:bg-sunken aria-current:bg-selected aria-current:text-text pointer-coarse:min-h-11"
              >
                <span className="flex-1">{each.label}</span>
                {count > 0 && <span className="num text-caption text-accent">{formTexts.changedCount(count)}</span>}
              </button>
            );
          })}
        </div>
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="min-h-0 flex-1 overflow-y-auto">
          <form
            ref={settings.form}
            onSubmit={(event) => {
              event.preventDefault();
              if (changed > 0) void save();
            }}
            className="mx-auto flex max-w-160 flex-col gap-6 px-6 py-5 max-narrow:px-3"
          >
            {!mayEdit && <Banner tone="info">{words.mayNotEdit}</Banner>}
            {shown.map((each) => (
              <SettingGroup
                key={each.group}
                group={each}
                fields={fields.filter((field) => field.group === each.group && (!found || found.has(field)))}
                settings={settings}
                disabled={!mayEdit}
                searching={found !== undefined}
              />
            ))}
            {found?.size === 0 && <EmptyState {...formTexts.noSetting} />}
            {!found && group?.group === 'record' && uses && (
              <section className="flex flex-col gap-2">
                <h2 className="text-section">{baseTexts.uses.title}</h2>
                {uses.items.length + uses.hidden > 0 ? (
                  <UseList uses={uses} />
                ) : (
                  <p className="text-dense text-text-2">{baseTexts.uses.none}</p>
                )}
              </section>
            )}
          </form>
        </div>
        {changed > 0 && (
          <footer className="flex flex-none flex-wrap items-center gap-2 border-t border-line bg-surface px-5 py-3">
            <span role="status" className="flex-1 text-dense">
              {words.changed(changed)}
            </span>
            <Button onClick={settings.discard}>{words.discard}</Button>
            <Button look="primary" busy={busy} onClick={() => void save()}>
              {words.save}
            </Button>
          </footer>
        )}
      </div>
      {isAsking && conflict && <SettingConflict settings={settings} fields={fields} onClose={() => setAsking(false)} />}
    </div>
  );
}
