import { useQuery } from '@tanstack/react-query';
import { Navigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { beginSession, sessionQuery, signInOptionsQuery } from '../../api/session.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { ForgottenForm } from './forgotten-form.tsx';
import { FrontPage } from './front-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

const words = welcomeTexts;

export function SignInPage() {
  const { next, tab } = useSearch({ from: '/sign-in' });
  const { data: session } = useQuery(sessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  const router = useRouter();
  const [forgotten, setForgotten] = useState(false);
  if (tab && session) return <FrontPage {...words.signIn.backToTab}>{null}</FrontPage>;
  if (options && !options.claimed) return <Navigate to="/welcome" replace />;
  if (forgotten)
    return (
      <FrontPage title={words.forgotten.title} help={options?.password_reset ? words.forgotten.help : undefined}>
        <ForgottenForm canMail={options?.password_reset ?? false} onBack={() => setForgotten(false)} />
      </FrontPage>
    );
  return (
    <FrontPage title={words.signIn.title}>
      <SignInForm
        onSignedIn={(session) => {
          beginSession(session);
          router.history.replace(next ?? '/');
        }}
        returnTo={`/sign-in${next ? `?${new URLSearchParams({ next })}` : ''}`}
        onForgotten={() => setForgotten(true)}
      />
    </FrontPage>
  );
}
