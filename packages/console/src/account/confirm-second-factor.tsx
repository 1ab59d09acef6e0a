import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { accountTexts } from '../text/account.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { QrPicture } from '../ui/qr-picture.tsx';
import { TextInput } from '../ui/text-field.tsx';

const words = accountTexts.secondFactor;

interface ConfirmSecondFactorProps {
  secret: { secret: string; otpauth_uri: string };
  onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** Shows the secret for the app, and takes its first code. */
export function ConfirmSecondFactor({ secret, onConfirmed }: ConfirmSecondFactorProps) {
  const [code, setCode] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const { recovery_codes } = await personClient.secondFactors.confirm({ code: code.trim() }, { maxRetries: 0 });
      onConfirmed(recovery_codes);
    },
    {
      check: () => ({ code: !/^\d{3} ?\d{3}$/.test(code.trim()) && words.needCode }),
      explain: (error) => (error.status === 403 ? words.wrongCode : undefined),
    },
  );
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <FailureNote failure={failure} />
      <p className="text-text-2">{words.scan}</p>
      <div className="flex flex-wrap items-center gap-4">
        <QrPicture text={secret.otpauth_uri} label={words.picture} />
        <div className="min-w-40 flex-1">
          <p className="text-label font-medium">{words.secret}</p>
          <p className="font-mono text-code select-all">{secret.secret.match(/.{1,4}/g)?.join(' ')}</p>
        </div>
      </div>
      <Field label={words.code} error={faultOf('code')}>
        <TextInput
          mono
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary" busy={busy} className="self-start">
        {words.confirm}
      </Button>
    </form>
  );
}
