import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { setsQuery, useRefreshEvaluations } from '../evaluations.ts';

const words = evaluationTexts.addCase;

interface AddCaseProps {
  agentId: string;
  /** The run whose answer the case ends with. */
  runId: string;
  onClose: () => void;
}

/** Makes a case of an answer, in a set of its agent or in a new one. */
export function AddCase({ agentId, runId, onClose }: AddCaseProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const refresh = useRefreshEvaluations();
  const mayMake = useMay()('conversations_read');
  const query = useInfiniteQuery(setsQuery(client, w, agentId, ''));
  const sets = query.data?.pages.flatMap((page) => page.items) ?? [];
  const made = useRef<{ id: string; name: string }>(undefined);
  const [picked, setPicked] = useState<string>();
  const set = picked ?? sets[0]?.id ?? '';
  const [name, setName] = useState('');
  const [expected, setExpected] = useState('');
  const [criteria, setCriteria] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const known = sets.find(({ id }) => id === set);
      // A second try, after a failure below, takes the set that was made.
      made.current ??= known ?? (await client.evaluations.create({ name: name.trim(), agent_id: agentId }));
      const target = known ?? made.current;
      await client.evaluationCases.createFromMessage(target.id, {
        run_id: runId,
        ...(expected.trim() && { expected: expected.trim() }),
        ...(criteria.trim() && { criteria: criteria.trim() }),
      });
      await refresh();
      onClose();
      const open = () =>
        void navigate({ to: '/w/$w/evaluations/$id', params: { w, id: target.id }, search: { view: 'cases' } });
      sayToast({ text: words.done(target.name), action: { label: words.open, onClick: open } });
    },
    { check: () => ({ name: set === '' && !name.trim() && words.nameFault }) },
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
          <Button
            look="primary"
            busy={busy || query.isPending}
            refused={set === '' && !mayMake && evaluationTexts.needsRead}
            onClick={() => void submit()}
          >
            {words.submit}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        <Field label={words.set}>
          <Select
            value={set}
            empty={words.newSet}
            options={sets.map((known) => ({ value: known.id, label: known.name }))}
            onChange={setPicked}
          />
        </Field>
        {set === '' && (
          <Field label={words.newName} error={faultOf('name')}>
            <TextInput value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
          </Field>
        )}
        <Field label={words.expected} help={words.expectedHelp} error={faultOf('expected')}>
          <TextArea value={expected} onChange={({ target }) => setExpected(target.value)} />
        </Field>
        <Field label={words.criteria} error={faultOf('criteria')}>
          <TextArea value={criteria} onChange={({ target }) => setCriteria(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
