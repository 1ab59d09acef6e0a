import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useRefreshEvaluations } from '../evaluations.ts';

const words = evaluationTexts.gate;

interface GateDialogProps {
  agentId: string;
  setId: string;
  threshold: number;
  onClose: () => void;
}

/** How many cases must pass before settings of the agent are published. */
export function GateDialog({ agentId, setId, threshold, onClose }: GateDialogProps) {
  const client = useClient();
  const refresh = useRefreshEvaluations();
  const [percent, setPercent] = useState(String(Math.round(threshold * 100)));
  const share = Number(percent) / 100;
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      await client.publishGates.set(agentId, { evaluation_id: setId, threshold: share });
      await refresh();
      onClose();
    },
    { check: () => ({ threshold: !(share > 0 && share <= 1) && words.thresholdFault }) },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        <Field label={words.threshold} error={faultOf('threshold')}>
          <TextInput
            data-autofocus
            value={percent}
            inputMode="numeric"
            onChange={({ target }) => setPercent(target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
