import { useRouter } from '@tanstack/react-router';
import { EnrolSecondFactor } from '../../account/enrol-second-factor.tsx';
import { client } from '../../api/client.ts';
import { beginSession } from '../../api/session.ts';
import { welcomeTexts } from '../../text/welcome.ts';
import { FrontPage } from './front-page.tsx';

/** For people whose organization asks for a second factor that they do not have yet. */
export function EnrolPage() {
  const router = useRouter();
  return (
    <FrontPage title={welcomeTexts.enrol.title} help={welcomeTexts.enrol.help}>
      <EnrolSecondFactor
        onDone={async () => {
          beginSession(await client.sessions.get());
          router.history.replace('/');
        }}
      />
    </FrontPage>
  );
}
