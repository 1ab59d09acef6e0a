import { useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { sayTime } from '../lib/time.ts';
import { accountTexts } from '../text/account.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { sayFailure, sayToast } from '../ui/toast.tsx';
import { canShowNotices, isSubscribed, subscribeDevice } from './this-device.ts';

const words = accountTexts.notifications;

/** The browsers that notices are sent to. The permission is asked for by the button alone. */
export function Devices() {
  const { data, refetch } = useQuery({
    queryKey: ['push-subscriptions'],
    queryFn: () => personClient.pushSubscriptions.list(),
  });
  const own = useQuery({ queryKey: ['push-subscriptions', 'this'], queryFn: isSubscribed });
  const [busy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    try {
      if ((await subscribeDevice()) === 'denied') sayToast({ text: words.denied, bad: true });
      await Promise.all([refetch(), own.refetch()]);
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const remove = async (id: string) => {
    try {
      await personClient.pushSubscriptions.delete(id);
      await refetch();
    } catch (error) {
      sayFailure(error, () => void remove(id));
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-label font-medium">{words.devices}</h3>
      <p className="text-dense text-text-2">{canShowNotices() ? words.devicesHelp : words.unsupported}</p>
      {data?.map(({ id, label, origin, created_at }) => (
        <div key={id} className="flex items-center gap-3 text-label">
          <BellRing size={15} aria-hidden className="flex-none text-text-3" />
          <span className="min-w-0 flex-1 truncate">
            {label || origin} <span className="text-text-3">{words.added(sayTime(created_at))}</span>
          </span>
          <Button size="small" aria-label={words.removeDevice(label || origin)} onClick={() => void remove(id)}>
            {t.ui.remove}
          </Button>
        </div>
      ))}
      {own.data && (data?.length ?? 0) > 0 ? (
        <p className="text-dense text-text-2">{words.thisDevice}</p>
      ) : (
        canShowNotices() && (
          <Button className="self-start" busy={busy} onClick={() => void add()}>
            {words.addDevice}
          </Button>
        )
      )}
    </div>
  );
}
