import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { useClient, useMay, useWorkspace } from '../api/session.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { InvitationLink } from './invitation-link.tsx';

const words = welcomeTexts.invite;
const days = 7;

/** Invites a person into the workspace and shows the link, once. */
export function InviteForm() {
  const client = useClient();
  const { id: workspaceId } = useWorkspace();
  const allowed = useMay()('workspace_admin');
  const roles = useQuery({
    queryKey: [workspaceId, 'roles', 'given-in', workspaceId],
    queryFn: () => client.audience.list({ kind: 'role', size: 100 }),
    enabled: allowed,
  });
  const [email, setEmail] = useState('');
  const [picked, setPicked] = useState('');
  const [made, setMade] = useState<{ email: string; token: string; mailed: boolean }>();
  const options = roles.data?.items ?? [];
  const role = picked || (options.find(({ name }) => name === 'Editor') ?? options[0])?.id || '';
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const { token, mailed } = await client.invitations.create(workspaceId, { email, role_id: role, days });
      setMade({ email, token: token ?? '', mailed });
      setEmail('');
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'invitations'] });
    },
    { check: () => ({ email: !/^\S+@\S+$/.test(email.trim()) && welcomeTexts.signIn.needEmail }) },
  );
  return (
    <section aria-labelledby="invite-title" className="mt-6 rounded-3 border border-line p-4">
      <h3 id="invite-title" className="text-section">
        {words.title}
      </h3>
      <p className="mb-3 text-dense text-text-2">{allowed ? words.help : words.notAllowed}</p>
      {made && <InvitationLink {...made} days={days} onAnother={() => setMade(undefined)} />}
      {allowed && !made && (
        <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-3">
          <FailureNote failure={failure} />
          <div className="grid items-start gap-3 phone:grid-cols-[1.6fr_1fr_auto]">
            <Field label={words.email} error={faultOf('email')}>
              <TextInput
                type="email"
                autoComplete="off"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            </Field>
            <Field label={words.role} error={faultOf('role_id')}>
              <Select
                value={role}
                options={options.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={setPicked}
              />
            </Field>
            <Button type="submit" busy={busy} className="h-8.5 phone:mt-6.5">
              {words.action}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
