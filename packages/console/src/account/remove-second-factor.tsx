import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { accountTexts } from '../text/account.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { AccountHint, PasswordInput } from '../ui/password-field.tsx';
import { sayToast } from '../ui/toast.tsx';
import { CodeField, codeFault } from './code-field.tsx';

const words = accountTexts.secondFactor;

export function RemoveSecondFactor({ onDone }: { onDone: () => void }) {
  const { person } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const body = { code: code.trim(), ...(password && { password }) };
      await personClient.secondFactors.disable(body, { maxRetries: 0 });
      sayToast({ text: words.removed });
      onDone();
    },
    {
      check: () => ({ code: codeFault(code) }),
      explain: (error) =>
        error.code === 'password_refused'
          ? words.wrongPassword
          : error.code === 'code_refused'
            ? words.wrongCode
            : undefined,
    },
  );
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
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
      <CodeField value={code} error={faultOf('code')} onChange={setCode} />
      <Button type="submit" look="danger" busy={busy} className="self-end">
        {words.remove}
      </Button>
    </form>
  );
}
