import type { Table } from '@atrium/contract/tables/schema.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { ViewState } from '../grid/undo-store.ts';
import { tableQuery } from '../queries.ts';
import { isSameView, readViews, withoutView, withView } from './saved-views.ts';

const words = rowTexts.views;

interface ViewsProps {
  table: Table;
  view: ViewState;
  refused: string | false;
  onShow: (view: ViewState, label: string) => void;
}

/** Views under names: choose one, save this one, delete one. */
export function ViewsMenu({ table, view, refused, onShow }: ViewsProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const views = readViews(table);
  const current = views.find((saved) => isSameView(saved, view));
  const store = async (meta: Table['meta'], done: string) => {
    try {
      const saved = await client.tables.update(table.id, { meta }, { ifMatch: table.etag ?? undefined });
      queries.setQueryData(tableQuery(client, w, table.id).queryKey, saved);
      sayToast({ text: done });
      return true;
    } catch (error) {
      sayFailure(error);
      await queries.invalidateQueries({ queryKey: [w, 'tables', 'one', table.id] });
      return false;
    }
  };
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button size="small" icon={<Bookmark size={14} />}>
            {current?.name ?? words.action}
          </Button>
        }
        groups={[
          [
            { id: 'all', label: words.all, checked: isSameView(view, {}), onSelect: () => onShow({}, words.all) },
            ...views.map((saved) => ({
              ...{ id: `view ${saved.name}`, label: saved.name, checked: saved === current },
              onSelect: () => onShow(saved, saved.name),
            })),
          ],
          [
            {
              ...{ id: 'save', label: words.save, icon: <Plus size={15} />, refused },
              onSelect: () => setSaving(true),
            },
            current && {
              ...{ id: 'delete', label: words.delete(current.name), icon: <Trash2 size={15} />, danger: true, refused },
              onSelect: () => void store(withoutView(table, current.name), words.deleted(current.name)),
            },
          ],
        ]}
      />
      {isSaving && (
        <SaveView
          taken={views.map(({ name }) => name)}
          onClose={() => setSaving(false)}
          onSave={async (name) => {
            const { filter, sort, search, hidden } = view;
            if (await store(withView(table, { name, filter, sort, search, hidden }), words.saved(name)))
              setSaving(false);
          }}
        />
      )}
    </>
  );
}

function SaveView(props: { taken: readonly string[]; onClose: () => void; onSave: (name: string) => Promise<void> }) {
  const { taken, onClose, onSave } = props;
  const formId = useId();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) void onSave(name.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.saveTitle}
      help={words.saveHelp}
      foot={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} disabled={!name.trim()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <Field label={words.name} {...(taken.includes(name.trim()) && { help: words.taken })}>
          <TextInput data-autofocus maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
