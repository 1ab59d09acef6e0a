import { AtriumError } from '@atrium/sdk';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { type Evaluation, type EvaluationCase, useRefreshEvaluations } from '../evaluations.ts';

const words = evaluationTexts.form;
type Match = NonNullable<EvaluationCase['match']>;
const matches = (Object.keys(evaluationTexts.cases.matches) as Match[]).map((value) => ({
  ...{ value, label: evaluationTexts.cases.matches[value] },
}));
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

interface CaseDialogProps {
  set: Evaluation;
  /** Undefined: a new one. */
  one: EvaluationCase | undefined;
  onClose: () => void;
}

/** A case by hand: what a person says, and what the last answer is measured by. */
export function CaseDialog({ set, one, onClose }: CaseDialogProps) {
  const client = useClient();
  const refresh = useRefreshEvaluations();
  const [name, setName] = useState(one?.name ?? '');
  const [turns, setTurns] = useState<readonly string[]>(one?.messages ?? ['']);
  const [expected, setExpected] = useState(one?.expected ?? '');
  const [match, setMatch] = useState<Match>(one?.match ?? 'similar');
  const [criteria, setCriteria] = useState(one?.criteria ?? '');
  const [citations, setCitations] = useState(one?.citations?.join('\n') ?? '');
  const [etag, setEtag] = useState(set.etag);
  const [theirs, setTheirs] = useState<EvaluationCase>();
  const setTurn = (at: number, text: string) => setTurns(turns.map((turn, index) => (index === at ? text : turn)));
  const save = async () => {
    const said = turns.map((turn) => turn.trim()).filter(Boolean);
    const [what, judged, cited] = [expected.trim(), criteria.trim(), linesOf(citations)];
    const shared = { messages: said, match, ...(name.trim() && { name: name.trim() }) };
    if (!one) {
      await client.evaluationCases.create(set.id, {
        ...shared,
        ...(what && { expected: what }),
        ...(judged && { criteria: judged }),
        ...(cited.length > 0 && { citations: cited }),
      });
    } else {
      const body = { ...shared, name: name.trim(), expected: what, criteria: judged, citations: cited };
      try {
        await client.evaluationCases.update(set.id, one.id, body, { ifMatch: etag });
      } catch (error) {
        if (!(error instanceof AtriumError && error.code === 'etag_mismatch')) throw error;
        const newer = await client.evaluations.get(set.id);
        setEtag(newer.etag);
        setTheirs(newer.cases.find(({ id }) => id === one.id));
        return;
      }
    }
    await refresh();
    onClose();
  };
  const { busy, failure, faultOf, submit, form } = useSubmit(save, {
    check: () => ({ messages: turns.every((turn) => !turn.trim()) && words.turnFault }),
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={one ? words.titleEdit : words.titleNew}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {theirs ? words.overwrite : words.submit}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        {theirs && (
          <Banner tone="warn" title={words.conflict}>
            {words.conflictHelp(theirs.expected ?? '')}
          </Banner>
        )}
        <Field label={words.name} error={faultOf('name')}>
          <TextInput
            value={name}
            placeholder={words.namePlaceholder}
            maxLength={200}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        {turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns have no name but their place.
          <div key={index} className="flex items-start gap-2">
            <Field
              label={words.turn(index + 1)}
              error={index === 0 ? faultOf('messages') : undefined}
              className="flex-1"
            >
              <TextArea value={turn} onChange={({ target }) => setTurn(index, target.value)} />
            </Field>
            {turns.length > 1 && (
              <IconButton
                label={words.removeTurn(index + 1)}
                icon={<X size={15} />}
                className="mt-6.5"
                onClick={() => setTurns(turns.filter((_, other) => other !== index))}
              />
            )}
          </div>
        ))}
        <Button
          size="small"
          className="self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => setTurns([...turns, ''])}
        >
          {words.addTurn}
        </Button>
        <div className="grid gap-4 phone:grid-cols-[minmax(0,1fr)_180px]">
          <Field label={words.expected} error={faultOf('expected')}>
            <TextArea value={expected} onChange={({ target }) => setExpected(target.value)} />
          </Field>
          <Field label={words.match}>
            <Select value={match} options={matches} onChange={(value) => setMatch(value as Match)} />
          </Field>
        </div>
        <Field label={words.criteria} help={words.criteriaHelp} error={faultOf('criteria')}>
          <TextArea value={criteria} onChange={({ target }) => setCriteria(target.value)} />
        </Field>
        <Field label={words.citations} help={words.citationsHelp} error={faultOf('citations')}>
          <TextArea value={citations} onChange={({ target }) => setCitations(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
