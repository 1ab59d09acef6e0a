import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRoleOptions } from '../shared/queries.ts';
import { ShownOnce } from '../shared/shown-once.tsx';
import { useRefresh } from '../shared/use-admin.ts';

const words = peopleTexts.invite;

/** Invites a person into this workspace, then shows the link, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const { id, name } = useWorkspace();
  const roles = useRoleOptions();
  const { refresh } = useRefresh('invitations');
  const [email, setEmail] = useState('');
  const [picked, setPicked] = useState('');
  const [days, setDays] = useState<keyof typeof words.dayOptions>('7');
  const [made, setMade] = useState<{ token: string; mailed: boolean }>();
  const role = picked || (roles.find(({ label }) => label === 'Editor') ?? roles[0])?.value || '';
  if (made)
    return (
      <ShownOnce
        title={words.made(email)}
        label={words.link}
        value={`${location.origin}/invitation#token=${made.token}`}
        help={made.mailed ? words.mailed : words.notMailed}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={words.title(name)}
      help={words.help}
      action={words.submit}
      stays
      onClose={onClose}
      check={() => ({ email: !/^\S+@\S+$/.test(email.trim()) && words.needEmail })}
      send={async () => {
        const body = { email: email.trim(), role_id: role, days: Number(days) };
        const { token, mailed } = await client.invitations.create(id, body);
        await refresh();
        setMade({ token: token ?? '', mailed });
      }}
    >
      {(faultOf) => (
        <>
          <Field label={words.email} error={faultOf('email')}>
            <TextInput
              type="email"
              autoComplete="off"
              data-autofocus
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          </Field>
          <div className="grid gap-4 phone:grid-cols-2">
            <Field label={words.role} error={faultOf('role_id')}>
              <Select value={role} options={roles} onChange={setPicked} />
            </Field>
            <Field label={words.days}>
              <Select
                value={days}
                options={Object.entries(words.dayOptions).map(([value, label]) => ({ value, label }))}
                onChange={(value) => setDays(value as typeof days)}
              />
            </Field>
          </div>
        </>
      )}
    </FormDialog>
  );
}
