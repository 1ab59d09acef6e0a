import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useRoleOptions, useWorkspaces } from '../shared/queries.ts';
import { ShownOnce } from '../shared/shown-once.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { Person } from './everyone.tsx';
import type { PersonForm } from './person-menu.tsx';

const words = peopleTexts.everyone;

interface PersonDialogProps {
  person: Person;
  onClose: () => void;
}

export function PersonDialog({ form, ...rest }: PersonDialogProps & { form: PersonForm }) {
  if (form === 'rename') return <RenameDialog {...rest} />;
  if (form === 'add') return <AddDialog {...rest} />;
  return form === 'erase' ? <EraseDialog {...rest} /> : <ResetDialog {...rest} />;
}

function RenameDialog({ person, onClose }: PersonDialogProps) {
  const client = useClient();
  const { refresh } = useRefresh('people', 'members');
  const [name, setName] = useState(person.name);
  return (
    <FormDialog
      title={words.renameTitle(person.name)}
      action={words.rename}
      onClose={onClose}
      send={async () => {
        await client.people.update(person.id, { name: name.trim() }, { ifMatch: person.etag });
        await refresh();
      }}
    >
      {(faultOf) => (
        <Field label={words.newName} error={faultOf('name')}>
          <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      )}
    </FormDialog>
  );
}

/** Gives a person a role in a workspace. */
function AddDialog({ person, onClose }: PersonDialogProps) {
  const client = useClient();
  const { id: here } = useWorkspace();
  const workspaces = useWorkspaces().data ?? [];
  const { refresh } = useRefresh('people', 'members');
  const [workspace, setWorkspace] = useState(here);
  const [picked, setPicked] = useState('');
  const roles = useRoleOptions(workspace);
  const role =
    (roles.find(({ value }) => value === picked) ?? roles.find(({ label }) => label === 'Reader'))?.value ?? '';
  return (
    <FormDialog
      title={words.addTitle(person.name)}
      help={words.addHelp}
      action={words.addTo}
      onClose={onClose}
      send={async () => {
        await client.members.set(workspace, person.id, { role_id: role });
        await refresh();
        sayToast({ text: words.added(person.name) });
      }}
    >
      {(faultOf) => (
        <>
          <Field label={words.workspace}>
            <Select
              data-autofocus
              value={workspace}
              options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setWorkspace}
            />
          </Field>
          <Field label={peopleTexts.members.role} error={faultOf('role_id')}>
            <Select value={role} options={roles} onChange={setPicked} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** The link is made when the dialog opens: each one works once, and a new one takes the place of the old. */
function ResetDialog({ person, onClose }: PersonDialogProps) {
  const client = useClient();
  const link = useQuery({
    queryKey: ['reset-link', person.id],
    queryFn: () => client.people.makeResetLink(person.id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (link.data)
    return (
      <ShownOnce
        title={words.resetTitle(person.name)}
        label={words.resetLink}
        value={`${location.origin}/reset#token=${link.data.token}`}
        help={words.resetHelp}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title={words.resetTitle(person.name)}>
      <Loaded query={link}>{() => null}</Loaded>
    </Dialog>
  );
}

function EraseDialog({ person, onClose }: PersonDialogProps) {
  const client = useClient();
  const { refresh } = useRefresh('people', 'members', 'data-jobs');
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={words.eraseTitle(person.name)}
      help={words.eraseHelp}
      action={words.eraseAction}
      onClose={onClose}
      check={() => ({ typed: typed.trim() !== person.name && words.eraseNameFault })}
      send={async () => {
        await client.personalData.erase(person.id);
        await refresh();
        sayToast({ text: words.erasing });
      }}
    >
      {(faultOf) => (
        <Field label={words.eraseName} note={person.name} error={faultOf('typed')}>
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
