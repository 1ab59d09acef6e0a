import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, useClient, useMay } from '../../api/session.ts';
import { workspaceTexts as words } from '../../text/admin/workspaces.ts';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { WorkspaceItem } from './workspaces-page.tsx';

/** The list here, and the menu that switches workspaces. */
function useRefreshWorkspaces() {
  const { refresh } = useRefresh('workspaces', 'data-jobs');
  const queries = useQueryClient();
  return () => Promise.all([refresh(), queries.invalidateQueries({ queryKey: sessionQuery.queryKey })]);
}

export function WorkspaceDialog({ workspace, onClose }: { workspace?: WorkspaceItem; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWorkspaces();
  const isOrganization = useMay()('org:admin');
  const [name, setName] = useState(workspace?.name ?? '');
  const [description, setDescription] = useState(workspace?.description ?? '');
  const [allow, setAllow] = useState(workspace?.pii_allow.join('\n') ?? '');
  const [quota, setQuota] = useState(String(workspace?.file_quota_mb ?? 0));
  const send = async () => {
    const pii_allow = allow.split('\n').flatMap((line) => (line.trim() ? [line.trim()] : []));
    const body = { name: name.trim(), description: description.trim(), pii_allow };
    if (workspace) {
      const limit = isOrganization && { file_quota_mb: Number(quota) };
      await client.workspaces.update(workspace.id, { ...body, ...limit }, { ifMatch: workspace.etag });
    } else {
      await client.workspaces.create(body);
      sayToast({ text: words.madeIt(body.name) });
    }
    await refresh();
  };
  return (
    <FormDialog
      title={workspace ? words.editTitle(workspace.name) : words.make}
      action={workspace ? words.save : words.submit}
      onClose={onClose}
      check={() => ({ name: !name.trim() && words.needName })}
      send={send}
    >
      {(faultOf) => (
        <>
          <Field label={words.name} error={faultOf('name')}>
            <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          <Field label={words.description} error={faultOf('description')}>
            <TextInput value={description} onChange={({ target }) => setDescription(target.value)} />
          </Field>
          <Field label={words.allow} help={words.allowHelp} error={faultOf('pii_allow')}>
            <TextArea value={allow} onChange={({ target }) => setAllow(target.value)} />
          </Field>
          {workspace && isOrganization && (
            <Field label={words.quota} help={words.quotaHelp} error={faultOf('file_quota_mb')}>
              <TextInput inputMode="numeric" value={quota} onChange={({ target }) => setQuota(target.value)} />
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWorkspaces();
  const [file, setFile] = useState<File>();
  return (
    <FormDialog
      title={words.importTitle}
      help={words.importHelp}
      action={words.importSubmit}
      onClose={onClose}
      check={() => ({ file: !file && words.needFile })}
      send={async () => {
        if (!file) return;
        await client.workspaces.import(file);
        await refresh();
        sayToast({ text: words.importing });
      }}
    >
      {(faultOf) => (
        <Field label={words.file} error={faultOf('file')}>
          <TextInput
            type="file"
            accept=".zip,application/zip"
            data-autofocus
            onChange={({ target }) => setFile(target.files?.[0])}
          />
        </Field>
      )}
    </FormDialog>
  );
}

export function DeleteDialog({ workspace, onClose }: { workspace: WorkspaceItem; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshWorkspaces();
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={words.removeTitle(workspace.name)}
      help={words.removeHelp}
      action={words.removeAction}
      isDeletion
      onClose={onClose}
      check={() => ({ typed: typed.trim() !== workspace.name && words.removeNameFault })}
      send={async () => {
        await client.workspaces.delete(workspace.id);
        await refresh();
        sayToast({ text: words.removed(workspace.name) });
      }}
    >
      {(faultOf) => (
        <Field label={words.removeName} note={workspace.name} error={faultOf('typed')}>
          <TextInput
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
