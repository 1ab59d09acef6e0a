import { useRouter } from '@tanstack/react-router';
import { LogOut, UserRound } from 'lucide-react';
import { client } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { forgetDrafts } from '../lib/local-drafts.ts';
import { t } from '../text/en.ts';
import { Avatar } from '../ui/avatar.tsx';
import { cx } from '../ui/cx.ts';
import { Menu } from '../ui/menu.tsx';
import { sayFailure } from '../ui/toast.tsx';
import { leaveLiveEvents, rejoinLiveEvents } from './use-live-events.ts';

export function AccountMenu({ labelClass }: { labelClass: string }) {
  const { person } = useSession();
  const router = useRouter();
  const signOut = async () => {
    leaveLiveEvents();
    try {
      const { end_session_url } = await client.sessions.signOut();
      forgetDrafts();
      // A new page: nothing that was loaded stays in memory.
      location.assign(end_session_url ?? '/sign-in');
    } catch (error) {
      rejoinLiveEvents();
      sayFailure(error, signOut);
    }
  };
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className="flex min-w-0 flex-1 items-center gap-2 rounded-2 px-2 py-1 text-left hover:bg-sunken"
        >
          <Avatar name={person.name} kind="person" size={24} />
          <span className={cx('text-dense font-medium', labelClass)}>{person.name}</span>
        </button>
      }
      groups={[
        [
          {
            label: t.shell.account,
            icon: <UserRound size={15} />,
            onSelect: () => void router.navigate({ to: '/account' }),
          },
        ],
        [{ label: t.shell.signOut, icon: <LogOut size={15} />, onSelect: signOut }],
      ]}
    />
  );
}
