import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { accountTexts } from '../text/account.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { AccountHint, PasswordInput } from '../ui/password-field.tsx';
import { ConfirmSecondFactor } from './confirm-second-factor.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const words = accountTexts.secondFactor;
interface Secret {
  secret: string;
  otpauth_uri: string;
}

/** Three steps: the password, the app with a first code, the recovery codes. */
export function EnrolSecondFactor({ onDone }: { onDone: () => void }) {
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (secret) return <ConfirmSecondFactor secret={secret} onConfirmed={setCodes} />;
  return <AskPassword onSecret={setSecret} />;
}

function AskPassword({ onSecret }: { onSecret: (secret: Secret) => void }) {
  const { person } = useSession();
  const [password, setPassword] = useState('');
  const { busy, failure, submit, form } = useSubmit(
    async () => onSecret(await personClient.secondFactors.enrol(password ? { password } : {}, { maxRetries: 0 })),
    { explain: (error) => (error.status === 403 ? words.wrongPassword : undefined) },
  );
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <AccountHint email={person.email} />
      <Field label={words.password} note={words.passwordNote}>
        <PasswordInput
          autoFocus
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary" busy={busy} className="self-start">
        {words.begin}
      </Button>
    </form>
  );
}
