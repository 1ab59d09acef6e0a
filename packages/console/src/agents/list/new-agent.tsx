import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useAgentActions } from './use-agent-actions.ts';

const words = agentTexts.create;
const empty = 'empty';

/** A new agent from a starting point, or empty. */
export function NewAgent({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const actions = useAgentActions();
  const formId = useId();
  const [from, setFrom] = useState<string>(empty);
  const [typed, setTyped] = useState<string>();
  const [busy, setBusy] = useState(false);
  const {
    data: points,
    error,
    isPending,
  } = useQuery({
    queryKey: ['starting-points'],
    queryFn: () => client.startingPoints.list(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const chosen = points?.find(({ key }) => key === from);
  const name = typed ?? chosen?.name ?? '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !name.trim()) return;
    setBusy(true);
    try {
      const made = await client.agents.create({ name: name.trim(), ...(chosen && { starting_point: chosen.key }) });
      await queries.invalidateQueries({ queryKey: [w, 'agents', 'list'] });
      onClose();
      await actions.open(made.id);
    } catch (failure) {
      sayFailure(failure);
      setBusy(false);
    }
  };
  const cards = [
    { value: empty, label: words.empty, help: words.emptyHelp },
    ...(points ?? []).map(({ key, name: label, description }) => ({ value: key, label, help: description })),
  ];
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!name.trim()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.name}>
          <TextInput
            data-autofocus
            required
            maxLength={200}
            value={name}
            placeholder={words.namePlaceholder}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        {isPending && <Loading />}
        {error && <ErrorState error={error} className="m-0" />}
        {points && <RadioCards label={words.from} value={from} cards={cards} onChange={setFrom} />}
        {chosen && chosen.next_steps.length > 0 && (
          <div className="text-dense text-text-2">
            <p className="font-medium">{words.nextSteps}</p>
            <ul className="list-disc pl-5">
              {chosen.next_steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </Dialog>
  );
}
