import type { CurrentSession } from '@atrium/contract/sessions/schema.ts';
import { Link as LinkIcon } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { forgetFragmentTokens, fragmentToken } from '../lib/fragment-tokens.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { FirstStartFrame } from './first-start-frame.tsx';
import { NewPasswordField, passwordFault } from './sign-in/new-password-field.tsx';
import { StepFoot } from './step-foot.tsx';

const words = welcomeTexts.claim;

/** Makes the first administrator with the token that the program printed. */
export function ClaimStep({ onClaimed }: { onClaimed: (session: CurrentSession) => void }) {
  const [ofLink] = useState(fragmentToken('token'));
  const [token, setToken] = useState(ofLink ?? '');
  const [needsToken, setNeedsToken] = useState(!ofLink);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const session = await client.sessions.claim({ token: token.trim(), name, email, password });
      forgetFragmentTokens();
      onClaimed(session);
    },
    {
      check: () => ({
        token: token.trim() === '' && words.needToken,
        name: name.trim() === '' && welcomeTexts.invitation.needName,
        email: !/^\S+@\S+$/.test(email.trim()) && welcomeTexts.signIn.needEmail,
        password: passwordFault(password),
      }),
      explain: (error) => {
        if (error.code === 'already_claimed') return words.claimed;
        if (error.status !== 403) return undefined;
        setNeedsToken(true);
        return words.refused;
      },
    },
  );
  return (
    <FirstStartFrame step="account" title={words.title} help={words.help}>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        {needsToken ? (
          <Field label={words.token} help={words.tokenHelp} error={faultOf('token')}>
            <TextInput mono autoComplete="off" value={token} onChange={(event) => setToken(event.target.value)} />
          </Field>
        ) : (
          <Banner tone="ok" icon={<LinkIcon size={16} aria-hidden />} title={words.tokenFromLink} />
        )}
        <Field label={welcomeTexts.invitation.name} error={faultOf('name')}>
          <TextInput autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={welcomeTexts.signIn.email} error={faultOf('email')}>
          <TextInput
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <NewPasswordField
          label={welcomeTexts.signIn.password}
          value={password}
          error={faultOf('password')}
          onChange={setPassword}
        />
        <StepFoot>
          <Button type="submit" look="primary" size="large" busy={busy}>
            {words.action}
          </Button>
        </StepFoot>
      </form>
    </FirstStartFrame>
  );
}
