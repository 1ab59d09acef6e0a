import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { endSession } from '../../api/session.ts';
import { forgetFragmentTokens, fragmentToken } from '../../lib/fragment-tokens.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { AccountHint } from '../../ui/password-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { FrontPage } from './front-page.tsx';
import { NewPasswordField, passwordFault } from './new-password-field.tsx';

const words = welcomeTexts.reset;

/** Sets a new password with the link of a mail, or of an administrator. */
export function ResetPage() {
  const [token] = useState(fragmentToken('token') ?? '');
  const [password, setPassword] = useState('');
  const router = useRouter();
  const toSignIn = () => router.navigate({ to: '/sign-in', search: {} });
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      await client.sessions.resetPassword({ token, password });
      forgetFragmentTokens();
      // All sessions of the person have ended, this browser's too.
      endSession();
      sayToast({ text: words.done });
      await toSignIn();
    },
    {
      check: () => ({ password: passwordFault(password) }),
      explain: (error) => (error.status === 403 ? words.over : undefined),
    },
  );
  if (!token)
    return (
      <FrontPage title={words.over.title} help={words.over.help}>
        <Button size="large" onClick={() => void toSignIn()}>
          {words.again}
        </Button>
      </FrontPage>
    );
  return (
    <FrontPage title={words.title} help={words.help}>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        <AccountHint />
        <NewPasswordField label={words.password} value={password} error={faultOf('password')} onChange={setPassword} />
        <Button type="submit" look="primary" size="large" busy={busy}>
          {words.action}
        </Button>
      </form>
    </FrontPage>
  );
}
