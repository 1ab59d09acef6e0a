import { client } from '../../api/client.ts';
import { beginSession } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';

const words = welcomeTexts.invitation;

/** Joins as the person who is signed in, or lets another one sign in. */
export function JoinForm({ token, name, onJoined }: { token: string; name: string; onJoined: () => void }) {
  const { busy, failure, submit, form } = useSubmit(
    async () => {
      await client.sessions.joinWorkspace({ token });
      beginSession(await client.sessions.get());
      onJoined();
    },
    { explain: (error) => (error.status === 404 ? words.notYours : undefined) },
  );
  const leave = useSubmit(async () => {
    await client.sessions.signOut();
    location.reload();
  });
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
      <FailureNote failure={failure ?? leave.failure} />
      <Button type="submit" look="primary" size="large" busy={busy}>
        {words.joinAs(name)}
      </Button>
      {failure && (
        <Button look="ghost" busy={leave.busy} onClick={() => void leave.submit()}>
          {welcomeTexts.signIn.otherAccount}
        </Button>
      )}
    </form>
  );
}
