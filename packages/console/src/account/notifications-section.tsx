import type { NotificationKind } from '@atrium/contract/notifications/kinds.ts';
import type { NotificationWays } from '@atrium/contract/preferences/schema.ts';
import { useQuery } from '@tanstack/react-query';
import { changePreferences, preferencesQuery } from '../lib/preferences.ts';
import { accountTexts } from '../text/account.ts';
import { Switch } from '../ui/switch.tsx';
import { Devices } from './devices.tsx';
import { Section } from './section.tsx';

const words = accountTexts.notifications;
/** What holds for kinds that the person has set nothing for. */
const usual: NotificationWays = { in_app: true, mail: false, push: true };
const ways = [
  ['in_app', words.inApp],
  ['mail', words.mail],
  ['push', words.push],
] as const;
const kinds = Object.entries(words.kinds) as [NotificationKind, string][];

export function NotificationsSection() {
  const { data } = useQuery(preferencesQuery);
  if (!data) return null;
  const set = (kind: NotificationKind, changes: Partial<NotificationWays>) => {
    const now = data.notifications[kind] ?? usual;
    void changePreferences({ notifications: { ...data.notifications, [kind]: { ...now, ...changes } } });
  };
  return (
    <Section title={accountTexts.sections.notifications} help={words.help}>
      <table className="w-full text-label">
        <thead>
          <tr className="border-b border-line text-left text-caption text-text-3">
            <th scope="col" className="py-1.5 font-medium">
              {words.kind}
            </th>
            {ways.map(([way, label]) => (
              <th key={way} scope="col" className="w-22 px-1 py-1.5 text-center font-medium max-phone:w-16">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(([kind, label]) => {
            const now = data.notifications[kind] ?? usual;
            return (
              <tr key={kind} className="h-(--row) border-b border-line last:border-0">
                <th scope="row" className="py-1.5 pr-2 text-left font-normal">
                  {label}
                </th>
                {ways.map(([way, name]) => (
                  <td key={way} className="text-center align-middle">
                    <span className="inline-flex align-middle">
                      <Switch
                        label={words.way(name, label)}
                        checked={now[way]}
                        disabled={way !== 'in_app' && !now.in_app}
                        onChange={(on) => set(kind, { [way]: on })}
                      />
                    </span>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <Devices />
    </Section>
  );
}
