import type { CurrentSession } from '@atrium/contract/sessions/schema.ts';
import { AtriumError } from '@atrium/sdk';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { AccountHint } from '../../ui/password-field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { NewPasswordField, passwordFault } from './new-password-field.tsx';

const words = welcomeTexts.invitation;

interface InvitationFormProps {
  token: string;
  onJoined: (session: CurrentSession) => void;
  onHasAccount: () => void;
}

/** Makes the account of an invited person. */
export function InvitationForm({ token, onJoined, onHasAccount }: InvitationFormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      try {
        onJoined(await client.sessions.acceptInvitation({ token, name, password }));
      } catch (error) {
        if (!(error instanceof AtriumError && error.code === 'sign_in_first')) throw error;
        onHasAccount();
      }
    },
    {
      check: () => ({ name: name.trim() === '' && words.needName, password: passwordFault(password) }),
      explain: (error) => (error.status === 404 ? words.over : undefined),
    },
  );
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <AccountHint />
      <Field label={words.name} error={faultOf('name')}>
        <TextInput autoComplete="name" autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <NewPasswordField
        label={welcomeTexts.signIn.password}
        value={password}
        error={faultOf('password')}
        onChange={setPassword}
      />
      <Button type="submit" look="primary" size="large" busy={busy}>
        {words.action}
      </Button>
    </form>
  );
}
