import { AtriumError } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { beginSession, sessionQuery } from '../../api/session.ts';
import { forgetFragmentTokens, fragmentToken } from '../../lib/fragment-tokens.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Loading } from '../../ui/states.tsx';
import { FrontPage } from './front-page.tsx';
import { InvitationForm } from './invitation-form.tsx';
import { JoinForm } from './join-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

const words = welcomeTexts.invitation;

/** Accepts an invitation: with a new account, or with the one that the person has. */
export function InvitationPage() {
  const { token: ofPath } = useParams({ strict: false });
  const [token] = useState(ofPath ?? fragmentToken('token') ?? '');
  const [hasAccount, setHasAccount] = useState(false);
  const { data: session, isPending } = useQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => client.sessions.lookAtInvitation({ token }),
    enabled: token !== '',
    retry: false,
  });
  const router = useRouter();
  const enter = () => {
    forgetFragmentTokens();
    router.history.replace('/');
  };
  if (!token)
    return (
      <FrontPage title={words.over.title} help={words.noToken}>
        {null}
      </FrontPage>
    );
  const isOver = invitation.error instanceof AtriumError && invitation.error.status === 404;
  if (isOver)
    return (
      <FrontPage title={words.over.title} help={words.over.help}>
        {null}
      </FrontPage>
    );
  if (isPending || invitation.isPending)
    return (
      <FrontPage title={words.title}>
        <Loading rows={3} />
      </FrontPage>
    );
  const { data: shown } = invitation;
  const invites = shown && (
    <div className="rounded-3 bg-sunken px-4 py-3">
      <p className="font-medium">{words.invites(shown.inviter_name, shown.workspace_name, shown.role_name)}</p>
      <p className="text-dense text-text-2">{words.isFor(shown.email)}</p>
    </div>
  );
  if (session)
    return (
      <FrontPage title={words.title} help={words.signedInAs(session.person.name, session.person.email)}>
        {invites}
        <JoinForm token={token} name={session.person.name} onJoined={enter} />
      </FrontPage>
    );
  if (hasAccount)
    return (
      <FrontPage title={words.title} help={words.signInFirst}>
        {invites}
        <SignInForm
          returnTo={undefined}
          onSignedIn={async () => {
            // A refusal is shown by the form that appears for a session.
            await client.sessions.joinWorkspace({ token }).then(enter, () => {});
            beginSession(await client.sessions.get());
          }}
        />
      </FrontPage>
    );
  return (
    <FrontPage title={words.title} help={words.help}>
      {invites}
      <InvitationForm
        token={token}
        onHasAccount={() => setHasAccount(true)}
        onJoined={(made) => {
          beginSession(made);
          enter();
        }}
      />
    </FrontPage>
  );
}
