import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Failure } from '../../api/failures.ts';
import { beginSession, sessionQuery, signInOptionsQuery } from '../../api/session.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Banner } from '../../ui/banner.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ForgottenForm } from './forgotten-form.tsx';
import { FrontPage } from './front-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

const words = welcomeTexts;

/** Only our own words are shown: anybody can write an address. */
function explainProvider(code: string): Failure {
  const known: Readonly<Record<string, Failure>> = words.signIn.failures;
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? words.signIn.failed;
}

export function SignInPage() {
  const { next, tab, failed } = useSearch({ from: '/sign-in' });
  const { data: session } = useQuery(sessionQuery);
  // The session may have ended since they were loaded.
  const { data: options } = useQuery({ ...signInOptionsQuery, refetchOnMount: 'always' });
  const router = useRouter();
  const [forgotten, setForgotten] = useState(false);
  if (tab && session) return <FrontPage {...words.signIn.backToTab}>{null}</FrontPage>;
  const failure = failed === undefined ? undefined : explainProvider(failed);
  // A person who is signed in wanted to add an identity to the account.
  if (failure && session)
    return (
      <FrontPage title={failure.title} help={failure.help}>
        <Link to="/account">{words.signIn.toAccount}</Link>
      </FrontPage>
    );
  if (options && !options.claimed) return <Navigate to="/welcome" replace />;
  if (forgotten)
    return (
      <FrontPage title={words.forgotten.title} help={options?.password_reset ? words.forgotten.help : undefined}>
        <ForgottenForm canMail={options?.password_reset ?? false} onBack={() => setForgotten(false)} />
      </FrontPage>
    );
  return (
    <FrontPage title={words.signIn.title}>
      {!failure && options?.session_ended && (
        <Banner tone="info" title={words.signIn.endedTitle}>
          {words.signIn.ended[options.session_ended]}
        </Banner>
      )}
      {failure && (
        <div className="mb-4">
          <FailureNote failure={failure} />
        </div>
      )}
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
