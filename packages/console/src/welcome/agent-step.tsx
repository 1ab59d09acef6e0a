import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { useClient, useMay, useSession, useWorkspace } from '../api/session.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { RadioCards } from '../ui/radio-cards.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { sayToast } from '../ui/toast.tsx';
import { createFirstAgent } from './create-first-agent.ts';
import { FirstStartFrame } from './first-start-frame.tsx';
import { useProgress } from './progress-store.ts';
import { StartingPointIcon } from './starting-point-icons.tsx';
import { StepFoot } from './step-foot.tsx';
import { type Step, shownFirst } from './steps.ts';

const words = welcomeTexts.agent;
const empty = '';

/** A first agent from a starting point, with something to answer from. */
export function AgentStep({ go }: { go: (step: Step) => void }) {
  const client = useClient();
  const { id: workspaceId } = useWorkspace();
  const { person } = useSession();
  const may = useMay();
  const points = useQuery({ queryKey: [workspaceId, 'starting-points'], queryFn: () => client.startingPoints.list() });
  const [picked, setPicked] = useState<string>('support-desk');
  const [all, setAll] = useState(false);
  const [named, setNamed] = useState<string>();
  const [sample, setSample] = useState(true);
  const point = points.data?.find(({ key }) => key === picked);
  const name = named ?? point?.name ?? '';
  const withSample = sample && may('kbs_edit');

  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const { model } = useProgress.getState();
      const made = await createFirstAgent(client, { name, startingPoint: picked || undefined, model, withSample });
      if (!made.isRead) sayToast({ text: words.sampleNotRead });
      useProgress.setState({ agent: { id: made.agent.id, name: made.agent.name, hasSample: withSample } });
      await queryClient.invalidateQueries();
      go('try');
    },
    { check: () => ({ name: name.trim() === '' && words.needName }) },
  );

  if (points.isError) return <ErrorState error={points.error} onRetry={() => void points.refetch()} />;
  const sorted = shownFirst(points.data ?? []);
  const shown = all ? sorted : sorted.slice(0, 3);
  return (
    <FirstStartFrame step="agent" email={person.email} title={words.title} help={words.help}>
      {points.isPending ? (
        <Loading />
      ) : (
        <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
          <FailureNote failure={failure} />
          <RadioCards
            label={words.choice}
            value={picked}
            onChange={setPicked}
            cards={[
              ...shown.map(({ key, name, description, icon }) => ({
                ...{ value: key, label: name, help: description, icon: <StartingPointIcon name={icon} /> },
              })),
              { value: empty, label: words.empty, help: words.emptyHelp, icon: <Plus size={18} /> },
            ]}
          />
          {!all && sorted.length > shown.length && (
            <Button look="ghost" className="-mt-2 self-start" onClick={() => setAll(true)}>
              {words.more(sorted.length - shown.length)}
            </Button>
          )}
          <Field label={words.name} error={faultOf('name')}>
            <TextInput value={name} onChange={(event) => setNamed(event.target.value)} />
          </Field>
          {may('kbs_edit') && (
            <Checkbox checked={sample} onChange={setSample} label={words.sample} help={words.sampleHelp} />
          )}
          <StepFoot onBack={() => go('model')} onSkip={() => go('try')}>
            <Button
              type="submit"
              look="primary"
              size="large"
              busy={busy}
              refused={!may('agents_edit') && words.notAllowed}
            >
              {busy && withSample ? words.reading : words.action}
              {!busy && <ChevronRight size={15} aria-hidden />}
            </Button>
          </StepFoot>
        </form>
      )}
    </FirstStartFrame>
  );
}
