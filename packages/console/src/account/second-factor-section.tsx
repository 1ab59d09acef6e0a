import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { sayTime } from '../lib/time.ts';
import { accountTexts } from '../text/account.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';
import { EnrolSecondFactor } from './enrol-second-factor.tsx';
import { RemoveSecondFactor } from './remove-second-factor.tsx';
import { RenewRecoveryCodes } from './renew-recovery-codes.tsx';
import { Section } from './section.tsx';

const words = accountTexts.secondFactor;

export function SecondFactorSection() {
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => personClient.secondFactors.get(),
  });
  const [open, setOpen] = useState<'enrol' | 'renew' | 'remove'>();
  const close = () => {
    setOpen(undefined);
    void refetch();
  };
  return (
    <Section title={accountTexts.sections.secondFactor}>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />}
      {!data && !isError && <Loading rows={2} />}
      {data && !data.enabled && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="flex-1 text-text-2">{words.off}</p>
          <Button onClick={() => setOpen('enrol')}>{words.add}</Button>
        </div>
      )}
      {data?.enabled && (
        <>
          <p className="flex items-center gap-2 font-medium">
            <ShieldCheck size={16} aria-hidden className="text-ok" />
            {words.on(sayTime(data.confirmed_at ?? ''))}
          </p>
          <p className="-mt-3 text-dense text-text-2">
            {words.left(data.recovery_codes_left)}
            {data.required && ` · ${words.required}`}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('renew')}>{words.renew}</Button>
            <Button look="danger" onClick={() => setOpen('remove')}>
              {words.remove}
            </Button>
          </div>
        </>
      )}
      <Dialog open={open === 'enrol'} onClose={close} title={words.add}>
        <EnrolSecondFactor onDone={close} />
      </Dialog>
      <Dialog open={open === 'renew'} onClose={close} title={words.renew} help={words.renewHelp}>
        <RenewRecoveryCodes onDone={close} />
      </Dialog>
      <Dialog open={open === 'remove'} onClose={close} title={words.removeTitle} help={words.removeHelp}>
        <RemoveSecondFactor onDone={close} />
      </Dialog>
    </Section>
  );
}
