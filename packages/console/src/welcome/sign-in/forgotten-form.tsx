import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { explainSignIn } from './sign-in-form.tsx';

const words = welcomeTexts.forgotten;

/** Asks for a link by mail. The answer is the same whether the address has an account or not. */
export function ForgottenForm({ canMail, onBack }: { canMail: boolean; onBack: () => void }) {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      await client.sessions.requestPasswordReset({ email }, { maxRetries: 0 });
      setSent(true);
    },
    {
      check: () => ({ email: !/^\S+@\S+$/.test(email.trim()) && welcomeTexts.signIn.needEmail }),
      explain: explainSignIn,
    },
  );
  const back = (
    <Button look="ghost" onClick={onBack}>
      {words.back}
    </Button>
  );
  if (!canMail || sent)
    return (
      <div className="flex flex-col gap-4">
        {sent ? (
          <Banner tone="ok" icon={<MailCheck size={16} aria-hidden />} title={words.sent} />
        ) : (
          <p className="text-text-2">{words.noMail}</p>
        )}
        {back}
      </div>
    );
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <Field label={welcomeTexts.signIn.email} error={faultOf('email')}>
        <TextInput
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary" size="large" busy={busy}>
        {words.action}
      </Button>
      {back}
    </form>
  );
}
