import { UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Loading } from '../../ui/states.tsx';
import { SectionPage } from '../shared/section-page.tsx';
import { useAddress, useRefusals } from '../shared/use-admin.ts';
import { Members } from './members.tsx';

const Everyone = lazyPart(() => import('./everyone.tsx').then((file) => ({ default: file.Everyone })));
const Teams = lazyPart(() => import('./teams.tsx').then((file) => ({ default: file.Teams })));
const SignIn = lazyPart(() => import('./sign-in.tsx').then((file) => ({ default: file.SignIn })));
const InviteDialog = lazyPart(() => import('./invite-dialog.tsx').then((file) => ({ default: file.InviteDialog })));

type Tab = keyof typeof peopleTexts.tabs;

/** Members of this workspace; for administrators of the organization also everybody, and how people sign in. */
export function PeoplePage() {
  const [{ tab: asked }, show] = useAddress();
  const [inviting, setInviting] = useState(false);
  const isOrganization = useMay()('org:admin');
  const { ofWorkspace } = useRefusals();
  const tabs: Tab[] = isOrganization ? ['members', 'everyone', 'teams', 'sign_in'] : ['members', 'teams'];
  const tab = tabs.find((one) => one === asked) ?? 'members';
  return (
    <SectionPage
      section="people"
      guide="people"
      actions={
        <Button
          look="primary"
          icon={<UserPlus size={15} aria-hidden />}
          refused={ofWorkspace}
          onClick={() => setInviting(true)}
        >
          {peopleTexts.invite.action}
        </Button>
      }
    >
      <Segmented
        label={peopleTexts.tab}
        value={tab}
        options={tabs.map((value) => ({ value, label: peopleTexts.tabs[value] }))}
        onChange={(value) => show({ tab: value === 'members' ? undefined : value, search: undefined })}
      />
      <Suspense fallback={<Loading />}>
        {tab === 'members' && <Members />}
        {tab === 'everyone' && <Everyone />}
        {tab === 'teams' && <Teams />}
        {tab === 'sign_in' && <SignIn />}
      </Suspense>
      <Suspense>{inviting && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </SectionPage>
  );
}
