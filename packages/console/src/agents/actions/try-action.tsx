import { type AnswerOf, AtriumError } from '@atrium/sdk';
import { CircleAlert, CircleCheck, Send, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { plainFault } from '../../lib/plain-fault.ts';
import { actionTexts } from '../../text/agent-actions.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { type Parameter, parametersToTry, readExample } from './parameters.ts';

const words = actionTexts.trial;
type Trial = AnswerOf<'agents.tryAction'>;
export type Entry = Readonly<Record<string, unknown>>;

interface TryActionProps {
  agent_id: string;
  action: Entry;
  /** Finds what is wrong with the action before it is sent, and shows it. */
  check: () => boolean;
  /** Faults of the action that the server found, by field. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
}

/** Sends the request of an action with example values and shows what came back. */
export function TryAction({ agent_id, action, check, onFaults }: TryActionProps) {
  const client = useClient();
  const [examples, setExamples] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [trial, setTrial] = useState<Trial>();
  const [busy, setBusy] = useState(false);
  const parameters = parametersToTry(action);
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trial) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [trial]);

  const send = async () => {
    if (!check()) return;
    setBusy(true);
    setFaults({});
    setTrial(undefined);
    const typed = parameters.flatMap(({ name, type }) => {
      const text = examples[name] ?? '';
      return text === '' ? [] : [[name, readExample(type, text)] as const];
    });
    try {
      const body = { action: action as { name: string; url: string }, arguments: Object.fromEntries(typed) };
      setTrial(await client.agents.tryAction(agent_id, body));
    } catch (error) {
      if (!(error instanceof AtriumError) || error.faults.length === 0) return sayFailure(error);
      const found = Object.entries(error.fields).map(([name, text]) => [name, plainFault(text)] as const);
      const below = (prefix: string) =>
        Object.fromEntries(
          found.flatMap(([name, text]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), text]] : [])),
        );
      setFaults(below('arguments.'));
      onFaults(below('action.'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <section aria-label={words.title} className="flex flex-col gap-3 rounded-3 bg-sunken p-3.5">
      <div>
        <h3 className="text-label font-medium">{words.title}</h3>
        <p className="text-caption text-text-2">{words.help}</p>
      </div>
      {parameters.map((parameter) => (
        <Example
          key={parameter.name}
          parameter={parameter}
          error={faults[parameter.name]}
          value={examples[parameter.name] ?? ''}
          onChange={(text) => setExamples({ ...examples, [parameter.name]: text })}
        />
      ))}
      {parameters.length === 0 && <p className="text-dense text-text-2">{words.noArguments}</p>}
      <Button className="self-start" icon={<Send size={14} aria-hidden />} busy={busy} onClick={() => void send()}>
        {trial ? words.again : words.run}
      </Button>
      <div aria-live="polite" ref={answer}>
        {trial && <TrialAnswer trial={trial} />}
      </div>
    </section>
  );
}

interface ExampleProps {
  parameter: Parameter;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function Example({ parameter: { name, type, description }, value, error, onChange }: ExampleProps) {
  const isData = type === 'array' || type === 'object';
  const Control = isData ? TextArea : TextInput;
  return (
    <Field
      label={words.argument(name)}
      note={actionTexts.parameter.types[type]}
      help={description || undefined}
      error={error}
    >
      <Control
        mono={isData}
        value={value}
        autoComplete="off"
        spellCheck={false}
        {...(!isData && (type === 'number' || type === 'integer') && { inputMode: 'decimal' as const })}
        onChange={({ target }: { target: { value: string } }) => onChange(target.value)}
      />
    </Field>
  );
}

function TrialAnswer({ trial }: { trial: Trial }) {
  const { success, message, status, ms, body, truncated } = trial;
  if (!success)
    return (
      <Banner tone="bad" icon={<CircleAlert size={16} aria-hidden />} title={words.failed}>
        <span className="break-words">{message}</span>
      </Banner>
    );
  const isFine = status !== null && status < 400;
  const Icon = isFine ? CircleCheck : TriangleAlert;
  return (
    <div className="flex flex-col gap-2">
      <Banner
        tone={isFine ? 'ok' : 'warn'}
        icon={<Icon size={16} aria-hidden />}
        title={words.worked(status ?? 0, ms)}
      />
      {body ? (
        <section
          aria-label={words.response}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
          tabIndex={0}
          className="max-h-72 overflow-auto rounded-2 border border-line bg-surface p-3 font-mono text-code break-words whitespace-pre-wrap"
        >
          {body}
        </section>
      ) : (
        <p className="text-dense text-text-2">{words.empty}</p>
      )}
      {truncated && <p className="text-caption text-text-3">{words.truncated}</p>}
    </div>
  );
}
