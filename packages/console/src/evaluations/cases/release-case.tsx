import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { type Evaluation, type EvaluationCase, isBound, nameCase, useRefreshEvaluations } from '../evaluations.ts';

const words = evaluationTexts.cases;

/** Says that a case depends on a chat, and whether it is hidden from this reader. */
export function CaseOrigin({ one }: { one: EvaluationCase }) {
  if (one.hidden)
    return (
      <Chip tone="warn">
        <EyeOff size={12} aria-hidden className="mr-1 inline" />
        {words.hidden}
      </Chip>
    );
  if (!isBound(one)) return null;
  return (
    <span title={words.fromChatHelp}>
      <Chip>{one.origin === 'unknown' ? words.unknownSource : words.fromChat}</Chip>
    </span>
  );
}

/** Cuts a case off from its chat, for those who began the chat or read everybody's runs. The server knows who began it. */
export function ReleaseCase({ set, one }: { set: Evaluation; one: EvaluationCase }) {
  const client = useClient();
  const refresh = useRefreshEvaluations();
  const may = useMay();
  const [asking, setAsking] = useState(false);
  if (!isBound(one) || one.hidden !== null || !may('agents_run')) return null;
  return (
    <>
      <Button size="small" aria-label={words.releaseOf(nameCase(one))} onClick={() => setAsking(true)}>
        {words.release}
      </Button>
      <Confirm
        open={asking}
        look="primary"
        onClose={() => setAsking(false)}
        title={words.releaseTitle(nameCase(one))}
        help={words.releaseHelp}
        action={words.releaseSubmit}
        onConfirm={async () => {
          await client.evaluationCases.release(set.id, one.id);
          await refresh();
          sayToast({ text: words.released });
        }}
      />
    </>
  );
}
