import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FolderPlus, ShieldCheck, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSheet } from '../../ui/filter-sheet.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { FolderRights } from '../document/folder-rights.tsx';
import { cleanPath, type DocumentFilter, foldersQuery, sayFolder } from '../queries.ts';
import { NewFolder } from './new-folder.tsx';

const words = documentTexts.list;
const shownStatuses = ['trained', 'training', 'error', 'uploaded', 'folder'] as const;

interface ToolbarProps {
  filter: DocumentFilter;
  onAdd: (files: File[]) => void;
}

/** Finds, filters and adds documents; all of it stands in the address. */
export function DocumentsToolbar({ filter, onAdd }: ToolbarProps) {
  const base = useBase();
  const { id: w } = useWorkspace();
  const may = useMay();
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/documents' });
  const { data: made = [] } = useQuery(foldersQuery(useClient(), w, base.id));
  const [dialog, setDialog] = useState<'folder' | 'rights'>();
  const field = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  const show = (next: Partial<Record<'search' | 'prefix' | 'status' | 'sort', string>>) =>
    void navigate({
      search: (old) => {
        const all = { ...old, ...next };
        return { ...all, ...Object.fromEntries(Object.entries(all).map(([key, value]) => [key, value || undefined])) };
      },
      replace: true,
    });
  const refused = !may('kbs_edit') && baseTexts.needsEdit;
  const current = filter.prefix && cleanPath(filter.prefix);
  const folders = [...new Set([...made, ...(current ? [current] : [])])].toSorted();
  const counts = { trained: base.trained_documents, training: base.training_documents, error: base.error_documents };
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3">
      <TextInput
        ref={field}
        type="search"
        aria-label={words.find}
        placeholder={words.find}
        value={filter.search}
        onChange={({ target }) => show({ search: target.value })}
        className="w-52! max-phone:w-full!"
      />
      <FilterSheet count={[filter.status, filter.prefix].filter(Boolean).length}>
        <Select
          aria-label={words.status}
          value={filter.status ?? ''}
          empty={words.anyStatus}
          options={shownStatuses.map((status) => {
            const count = status in counts ? counts[status as keyof typeof counts] : 0;
            const name = documentTexts.statuses[status];
            return { value: status, label: count > 0 ? `${name} (${count})` : name };
          })}
          onChange={(status) => show({ status })}
          className="w-36"
        />
        {folders.length > 0 && (
          <Select
            aria-label={words.folder}
            value={current ?? ''}
            empty={words.anyFolder}
            options={folders.map((value) => ({ value, label: sayFolder(value) }))}
            onChange={(prefix) => show({ prefix })}
            className="w-40"
          />
        )}
        <Select
          aria-label={words.sort}
          value={filter.sort}
          options={Object.entries(words.sorts).map(([value, label]) => ({ value, label }))}
          onChange={(sort) => show({ sort: sort === '-created_at' ? '' : sort })}
          className="w-37"
        />
      </FilterSheet>
      <span className="ml-auto flex items-center gap-1.5">
        {current && may('kbs_edit') && (
          <IconButton
            label={documentTexts.rights.folder}
            icon={<ShieldCheck size={16} />}
            onClick={() => setDialog('rights')}
          />
        )}
        {may('kbs_edit') && (
          <IconButton
            label={documentTexts.add.folder}
            icon={<FolderPlus size={16} />}
            onClick={() => setDialog('folder')}
          />
        )}
        <Button
          look="primary"
          icon={<Upload size={15} aria-hidden />}
          refused={refused}
          onClick={() => chooser.current?.click()}
        >
          {documentTexts.add.action}
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={documentTexts.add.files}
          onChange={({ target }) => {
            onAdd([...(target.files ?? [])]);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
      </span>
      {dialog === 'folder' && <NewFolder at={current ?? '/'} onClose={() => setDialog(undefined)} />}
      {dialog === 'rights' && current && <FolderRights folder={current} onClose={() => setDialog(undefined)} />}
    </div>
  );
}
