import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { forgetDrafts } from '../lib/local-drafts.ts';
import { sayExactTime, sayTime } from '../lib/time.ts';
import { accountTexts } from '../text/account.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';
import { sayFailure, sayToast } from '../ui/toast.tsx';
import { nameDevice } from './name-device.ts';
import { Section } from './section.tsx';

const words = accountTexts.sessions;

export function SessionsSection() {
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => personClient.sessions.list(),
  });
  const [asking, setAsking] = useState(false);
  const end = async (id: string) => {
    try {
      await personClient.sessions.end(id);
      sayToast({ text: words.ended });
      await refetch();
    } catch (failure) {
      sayFailure(failure, () => void end(id));
    }
  };
  return (
    <Section title={accountTexts.sections.sessions}>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />}
      {!data && !isError && <Loading rows={2} />}
      {data && (
        <ul className="divide-y divide-line rounded-3 border border-line">
          {data.map(({ id, current, address, user_agent, used_at }) => {
            const device = nameDevice(user_agent);
            const name = device ? words.on(device.browser, device.system) : user_agent || words.unknown;
            return (
              <li key={id} className="flex items-center gap-3 px-3.5 py-2.5">
                <MonitorSmartphone size={16} aria-hidden className="flex-none text-text-3" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-label font-medium">{name}</span>
                  <span className="block truncate text-dense text-text-2" title={sayExactTime(used_at)}>
                    {[address && words.from(address), words.used(sayTime(used_at))].filter(Boolean).join(', ')}
                  </span>
                </span>
                {current ? (
                  <Chip tone="ok">{words.current}</Chip>
                ) : (
                  <Button size="small" aria-label={words.endOf(name)} onClick={() => void end(id)}>
                    {words.end}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button look="danger" className="self-start" onClick={() => setAsking(true)}>
        {words.endAll}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.endAllTitle}
        help={words.endAllHelp}
        action={words.endAll}
        keep={t.ui.cancel}
        onConfirm={async () => {
          await personClient.sessions.signOut(undefined, { query: { everywhere: true } });
          forgetDrafts();
          location.assign('/sign-in');
        }}
      />
    </Section>
  );
}
