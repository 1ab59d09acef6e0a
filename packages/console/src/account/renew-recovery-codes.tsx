import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { accountTexts } from '../text/account.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { CodeField, codeFault } from './code-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const words = accountTexts.secondFactor;

export function RenewRecoveryCodes({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const made = await personClient.secondFactors.renewRecoveryCodes({ code: code.trim() }, { maxRetries: 0 });
      setCodes(made.recovery_codes);
    },
    {
      check: () => ({ code: codeFault(code) }),
      explain: (error) => (error.status === 403 ? words.wrongCode : undefined),
    },
  );
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <CodeField autoFocus value={code} error={faultOf('code')} onChange={setCode} />
      <Button type="submit" look="primary" busy={busy} className="self-end">
        {words.renew}
      </Button>
    </form>
  );
}
