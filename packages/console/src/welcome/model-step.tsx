import { BookOpen, ChevronRight, KeyRound, SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { useClient, useMay, useSession } from '../api/session.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Field } from '../ui/field.tsx';
import { RadioCards } from '../ui/radio-cards.tsx';
import { Select } from '../ui/select.tsx';
import { sayFailure } from '../ui/toast.tsx';
import { connectModel } from './connect-model.ts';
import { FirstStartFrame } from './first-start-frame.tsx';
import { inputOf, ModelFields, type Typed } from './model-fields.tsx';
import { useProgress } from './progress-store.ts';
import { StepFoot } from './step-foot.tsx';
import { isWriter, type Step } from './steps.ts';
import { TestResult } from './test-result.tsx';
import { useProviderTest } from './use-provider-test.ts';

const words = welcomeTexts.model;
const usualServer = 'http://localhost:11434/v1';

/** Connects a model. What is typed is tried at once, so that the button says which model it takes. */
export function ModelStep({ go }: { go: (step: Step) => void }) {
  const client = useClient();
  const { person } = useSession();
  const allowed = useMay()('settings_write');
  const [typed, setTyped] = useState<Typed>({ choice: 'server', address: '', key: '', kind: 'openai', region: '' });
  const [chosen, setChosen] = useState('');
  const [busy, setBusy] = useState(false);
  const found = useFoundServer(allowed, (address) => setTyped((now) => (now.address ? now : { ...now, address })));
  const input = allowed ? inputOf(typed) : undefined;
  const test = useProviderTest(input);
  const writers = test.state === 'answers' ? test.models.filter(isWriter) : [];
  const model = writers.includes(chosen) ? chosen : writers[0];

  const connect = async () => {
    if (typed.choice === 'none' || !input || test.state !== 'answers') return go('agent');
    setBusy(true);
    try {
      const name = await connectModel(client, input, test.models);
      useProgress.setState({ model: model && `${name}/${model}` });
      await queryClient.invalidateQueries();
      go('agent');
    } catch (error) {
      sayFailure(error);
      setBusy(false);
    }
  };
  const label = typed.choice === 'none' ? words.withoutModel : model ? words.use(model) : words.useIt;
  const refused = typed.choice !== 'none' && (!allowed ? words.notAllowed : test.state !== 'answers' && words.tryFirst);
  return (
    <FirstStartFrame step="model" email={person.email} title={words.title} help={words.help}>
      <RadioCards
        label={words.choice}
        value={typed.choice}
        onChange={(choice) => setTyped({ ...typed, choice })}
        cards={[
          {
            ...{ value: 'server', label: words.server, help: words.serverHelp, icon: <SquareTerminal size={18} /> },
            beside: found && <Chip tone="ok">{words.found}</Chip>,
          },
          { value: 'provider', label: words.provider, help: words.providerHelp, icon: <KeyRound size={18} /> },
          { value: 'none', label: words.none, help: words.noneHelp, icon: <BookOpen size={18} /> },
        ]}
      />
      <ModelFields typed={typed} onChange={(changes) => setTyped({ ...typed, ...changes })} />
      {typed.choice !== 'none' && (
        <div className="mt-4 flex flex-col gap-4">
          <TestResult test={test} />
          {writers.length > 1 && (
            <Field label={words.which}>
              <Select
                value={model ?? ''}
                options={writers.map((name) => ({ value: name, label: name }))}
                onChange={setChosen}
              />
            </Field>
          )}
        </div>
      )}
      <StepFoot onSkip={() => go('agent')}>
        <Button look="primary" size="large" busy={busy} refused={refused} onClick={() => void connect()}>
          {label}
          <ChevronRight size={15} aria-hidden />
        </Button>
      </StepFoot>
    </FirstStartFrame>
  );
}

/** Looks once whether a model server runs where most of them do: on this machine. */
function useFoundServer(allowed: boolean, onFound: (address: string) => void): boolean {
  const client = useClient();
  const [found, setFound] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the page.
  useEffect(() => {
    if (!allowed) return;
    const leaving = new AbortController();
    client.providers
      .try(
        { provider: 'openai-compatible', base_urls: [usualServer] },
        { timeout: 3000, maxRetries: 0, signal: leaving.signal },
      )
      .then(({ success }) => {
        if (!success || leaving.signal.aborted) return;
        setFound(true);
        onFound(usualServer);
      })
      // None is there; the person says where theirs is.
      .catch(() => {});
    return () => leaving.abort();
  }, []);
  return found;
}
