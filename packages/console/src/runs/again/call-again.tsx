import type { AnswerOf } from '@atrium/sdk';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { traceTexts } from '../../text/traces.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import type { Prompt } from '../details/prompt-view.tsx';
import type { Step } from '../runs.ts';
import { BothAnswers } from './both-answers.tsx';
import { lastUserText, replaceLastUserText } from './last-user-text.ts';

const words = traceTexts.again;
type ModelStep = Extract<Step, { kind: 'model' }>;

interface CallAgainProps {
  runId: string;
  step: ModelStep;
  prompt: Prompt;
  onClose: () => void;
}

/** Sends one model call again with a changed prompt, and shows both answers. */
export function CallAgain({ runId, step, prompt, onClose }: CallAgainProps) {
  const client = useClient();
  const before = prompt.settings['temperature'];
  const said = lastUserText(prompt.messages);
  const [system, setSystem] = useState(prompt.system);
  const [message, setMessage] = useState(said ?? '');
  const [model, setModel] = useState(step.model);
  const [temperature, setTemperature] = useState(typeof before === 'number' ? String(before) : '');
  const [answer, setAnswer] = useState<AnswerOf<'runs.retryModelCall'>>();
  const typed = [system, message, model, temperature].join('\n');
  const [sentText, setSentText] = useState(typed);
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      setAnswer(
        await client.runs.retryModelCall(runId, step.id, {
          ...(system !== prompt.system && { system }),
          ...(said !== undefined && message !== said && { messages: replaceLastUserText(prompt.messages, message) }),
          ...(model.trim() !== step.model && { model: model.trim() }),
          ...(temperature.trim() !== '' && Number(temperature) !== before && { temperature: Number(temperature) }),
        }),
      );
      setSentText(typed);
    },
    {
      check: () => ({
        temperature:
          temperature.trim() !== '' &&
          !(Number(temperature) >= 0 && Number(temperature) <= 2) &&
          words.temperatureFault,
      }),
    },
  );
  return (
    <Dialog
      open
      wide
      changed={typed !== sentText}
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <Button look="primary" busy={busy} onClick={() => void submit()}>
          {answer ? words.sendAgain : words.send}
        </Button>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        <Field label={words.system} error={faultOf('system')}>
          <TextArea value={system} maxRows={10} onChange={({ target }) => setSystem(target.value)} />
        </Field>
        {said !== undefined && (
          <Field label={words.message} error={faultOf('messages')}>
            <TextArea value={message} maxRows={8} onChange={({ target }) => setMessage(target.value)} />
          </Field>
        )}
        <div className="grid gap-4 phone:grid-cols-2">
          <Field label={words.model} error={faultOf('model')}>
            <TextInput value={model} mono onChange={({ target }) => setModel(target.value)} />
          </Field>
          <Field label={words.temperature} error={faultOf('temperature')}>
            <TextInput
              value={temperature}
              inputMode="decimal"
              onChange={({ target }) => setTemperature(target.value)}
            />
          </Field>
        </div>
        <div role="status">{answer && <BothAnswers step={step} answer={answer} />}</div>
      </form>
    </Dialog>
  );
}
