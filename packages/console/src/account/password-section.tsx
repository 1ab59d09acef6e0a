import { AtriumError } from '@atrium/sdk';
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
import { NewPasswordField, passwordFault } from '../welcome/sign-in/new-password-field.tsx';
import { explainSignIn } from '../welcome/sign-in/sign-in-form.tsx';
import { Section } from './section.tsx';

const words = accountTexts.password;

export function PasswordSection() {
  const { person } = useSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      setWrong(undefined);
      try {
        await personClient.sessions.changePassword({ current, password }, { maxRetries: 0 });
      } catch (error) {
        if (!(error instanceof AtriumError && error.code === 'password_refused')) throw error;
        setWrong(words.wrong);
        return;
      }
      setCurrent('');
      setPassword('');
      sayToast({ text: words.done });
    },
    {
      check: () => ({ current: current === '' && words.needCurrent, password: passwordFault(password) }),
      explain: explainSignIn,
    },
  );
  return (
    <Section title={accountTexts.sections.password} help={words.help}>
      <form ref={form} onSubmit={submit} noValidate className="flex max-w-100 flex-col gap-4">
        <FailureNote failure={failure} />
        <AccountHint email={person.email} />
        <Field label={words.current} error={faultOf('current') ?? wrong}>
          <PasswordInput
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </Field>
        <NewPasswordField label={words.next} value={password} error={faultOf('password')} onChange={setPassword} />
        <Button type="submit" busy={busy} className="self-start">
          {words.action}
        </Button>
      </form>
    </Section>
  );
}
