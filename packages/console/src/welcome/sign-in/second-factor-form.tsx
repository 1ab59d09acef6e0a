import type { CurrentSession } from '@atrium/contract/sessions/schema.ts';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { explainSignIn } from './sign-in-form.tsx';

const words = welcomeTexts.secondFactor;

interface SecondFactorFormProps {
  token: string;
  onSignedIn: (session: CurrentSession) => void;
  onStartAgain: () => void;
}

/** The second of two steps: a code of the app, or a recovery code. */
export function SecondFactorForm({ token, onSignedIn, onStartAgain }: SecondFactorFormProps) {
  const [code, setCode] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => onSignedIn(await client.secondFactors.verify({ token, code: code.trim() }, { maxRetries: 0 })),
    {
      check: () => ({ code: !/^[0-9A-Za-z -]{6,40}$/.test(code.trim()) && words.needCode }),
      explain: (error) =>
        error.status === 403 ? words.wrong : error.status === 401 ? words.over : explainSignIn(error),
    },
  );
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <Field label={words.code} help={words.help} error={faultOf('code')}>
        <TextInput
          mono
          autoFocus
          inputMode="text"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary" size="large" busy={busy}>
        {words.action}
      </Button>
      <Button look="ghost" onClick={onStartAgain}>
        {words.startAgain}
      </Button>
    </form>
  );
}
