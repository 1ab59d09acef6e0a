import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useClient } from '../api/session.ts';
import { t } from '../text/en.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useShell } from './shell-store.ts';

export function NotificationBell() {
  const client = useClient();
  const open = useShell(({ open }) => open);
  const { data } = useQuery({ queryKey: ['notifications', 'count'], queryFn: () => client.notifications.count() });
  const unread = data?.unread ?? 0;
  return (
    <span className="relative">
      <IconButton
        label={t.shell.notificationsNew(unread)}
        icon={<Bell size={16} />}
        onClick={() => open('notifications')}
      />
      {unread > 0 && (
        <span aria-hidden className="absolute top-1.25 right-1.5 size-1.75 rounded-full bg-accent ring-2 ring-bg" />
      )}
    </span>
  );
}
