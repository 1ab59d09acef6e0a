import type { CurrentSession } from '@atrium/contract/sessions/schema.ts';
import { useQuery } from '@tanstack/react-query';
import { Dialog as Radix } from 'radix-ui';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { beginSession, signInOptionsQuery, useSession } from '../api/session.ts';
import { t } from '../text/en.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { SignInForm } from '../welcome/sign-in/sign-in-form.tsx';
import { Logo } from './logo.tsx';

const words = welcomeTexts.signIn;
const keepOpen = (event: Event) => event.preventDefault();

/** Sign-in over the page. It covers the page whole: what was on it is for the person who signed in. */
export function SignedOutLayer() {
  const { person } = useSession();
  const { data: options } = useQuery({ ...signInOptionsQuery, refetchOnMount: 'always' });
  const reason = options?.session_ended;
  const goOn = (session: CurrentSession) => {
    // Another person gets a page of their own; what the first person typed stays in their drafts.
    if (session.person.id !== person.id) location.assign('/');
    else beginSession(session);
  };
  useEffect(() => {
    // The person may have signed in in another tab meanwhile.
    const look = () => void client.sessions.get().then(goOn, () => {});
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  });
  return (
    <Radix.Root open>
      <Radix.Portal>
        <Radix.Content
          onEscapeKeyDown={keepOpen}
          onInteractOutside={keepOpen}
          className="fixed inset-0 z-50 overflow-y-auto bg-bg"
        >
          <div className="mx-auto flex min-h-full w-full max-w-108 flex-col justify-center gap-6 px-4 py-10">
            <div className="flex items-center gap-2.5 px-1">
              <Logo size={32} />
              <span className="text-[17px] font-semibold tracking-[-0.01em]">{t.shell.product}</span>
            </div>
            <section className="flex flex-col gap-5 rounded-4 border border-line bg-surface p-6 shadow-1">
              <header>
                <Radix.Title className="text-title tracking-[-0.02em]">{words.again}</Radix.Title>
                <Radix.Description className="mt-1.5 text-text-2">
                  {reason ? `${words.ended[reason]} ${words.kept}` : words.againHelp}
                </Radix.Description>
              </header>
              <SignInForm email={person.email} onSignedIn={goOn} />
              <Button look="ghost" onClick={() => location.assign('/sign-in')}>
                {words.otherAccount}
              </Button>
            </section>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
