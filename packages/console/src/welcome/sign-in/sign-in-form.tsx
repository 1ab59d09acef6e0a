import type { CurrentSession } from '@atrium/contract/sessions/schema.ts';
import type { AtriumError } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { signInOptionsQuery } from '../../api/session.ts';
import { fragmentToken } from '../../lib/fragment-tokens.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-field.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { ProviderLinks } from './provider-links.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const words = welcomeTexts.signIn;

interface SignInFormProps {
  onSignedIn: (session: CurrentSession) => void;
  /** The person that the page belongs to: the address is filled in. */
  email?: string;
  /** Where the browser comes back to from an identity provider; without it, that happens in a new tab. */
  returnTo?: string | undefined;
  onForgotten?: (() => void) | undefined;
}

/** All ways to sign in that this server has. */
export function SignInForm({ onSignedIn, email, returnTo, onForgotten }: SignInFormProps) {
  const options = useQuery(signInOptionsQuery);
  const [token, setToken] = useState(fragmentToken('second_factor_token'));
  if (token) return <SecondFactorForm token={token} onSignedIn={onSignedIn} onStartAgain={() => setToken(undefined)} />;
  if (options.isError)
    return <ErrorState error={options.error} onRetry={() => void options.refetch()} className="m-0" />;
  if (!options.data) return <Loading rows={3} />;
  const { methods, providers } = options.data;
  const hasPassword = methods.includes('password');
  return (
    <div className="flex flex-col gap-4">
      {hasPassword && (
        <PasswordForm email={email} onSignedIn={onSignedIn} onSecondFactor={setToken} onForgotten={onForgotten} />
      )}
      {hasPassword && providers.length > 0 && (
        <p className="flex items-center gap-3 text-caption text-text-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {words.or}
        </p>
      )}
      <ProviderLinks providers={providers} returnTo={returnTo} />
      {!hasPassword && providers.length === 0 && <p className="text-text-2">{words.noMethod}</p>}
    </div>
  );
}

interface PasswordFormProps extends Pick<SignInFormProps, 'onSignedIn' | 'onForgotten'> {
  email: string | undefined;
  onSecondFactor: (token: string) => void;
}

export function explainSignIn(error: AtriumError) {
  if (error.status === 401) return words.refused;
  if (error.status === 429) return words.wait(Math.max(1, Math.ceil(error.retryAfter ?? 1)));
  return undefined;
}

function PasswordForm({ email: known, onSignedIn, onSecondFactor, onForgotten }: PasswordFormProps) {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const send = async () => {
    const answer = await client.sessions.signIn({ email, password }, { maxRetries: 0 });
    if ('second_factor' in answer) onSecondFactor(answer.second_factor.token);
    else onSignedIn(answer);
  };
  const check = () => ({
    email: !/^\S+@\S+$/.test(email.trim()) && words.needEmail,
    password: password === '' && words.needPassword,
  });
  const { busy, failure, faultOf, submit, form } = useSubmit(send, { check, explain: explainSignIn });
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <Field label={words.email} error={faultOf('email')}>
        <TextInput
          type="email"
          name="email"
          autoComplete="username"
          autoFocus={!known}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label={words.password} error={faultOf('password')}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          autoFocus={Boolean(known)}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary" size="large" busy={busy}>
        {words.action}
      </Button>
      {onForgotten && (
        <Button look="ghost" onClick={onForgotten}>
          {words.forgotten}
        </Button>
      )}
    </form>
  );
}
