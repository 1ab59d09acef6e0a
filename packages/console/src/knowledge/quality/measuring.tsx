import type { AnswerOf, BodyOf } from '@atrium/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Gauge, Scale, Sparkles, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { TrialChips } from '../search/search-results.tsx';
import { Figures } from './figures.tsx';
import { Proposal } from './proposal.tsx';
import type { QuestionSet } from './read-sets.ts';

const TrialDrawer = lazyPart(() =>
  import('../search/trial-drawer.tsx').then(({ TrialDrawer }) => ({ default: TrialDrawer })),
);
export type Evaluation = AnswerOf<'knowledgeBases.evaluate'>;
type Tuning = AnswerOf<'knowledgeBases.tune'>;
const words = searchTexts.quality;

/** Measures a set by the settings in force and those on trial, and asks for better ones. */
export function Measuring({ set }: { set: QuestionSet }) {
  const client = useClient();
  const base = useBase();
  const may = useMay();
  const { trial } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/quality' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/quality' });
  const [busy, setBusy] = useState<'measure' | 'tune'>();
  const [isChanging, setChanging] = useState(false);
  const [measured, setMeasured] = useState<{ stored: Evaluation; trial: Evaluation | undefined }>();
  const [tuning, setTuning] = useState<Tuning>();
  const attempt = async (what: 'measure' | 'tune', work: () => Promise<void>) => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      sayFailure(error);
    }
    setBusy(undefined);
  };
  const { questions } = set;
  const measure = () =>
    attempt('measure', async () => {
      const settings_ = trial as BodyOf<'knowledgeBases.evaluate'>['settings_'];
      const [stored, tried] = await Promise.all([
        client.knowledgeBases.evaluate(base.id, { questions }),
        trial && client.knowledgeBases.evaluate(base.id, { questions, settings_ }),
      ]);
      setMeasured({ stored, trial: tried });
    });
  const tune = () =>
    attempt('tune', async () =>
      setTuning(await client.knowledgeBases.tune(base.id, { questions: questions.slice(0, 100) })),
    );
  const setTrial = (next: Record<string, unknown> | undefined) => {
    setMeasured(undefined);
    void navigate({ search: (old) => ({ ...old, trial: next }), replace: true });
  };
  const refused = !may('kbs_advanced') && baseTexts.needsAdvanced;
  const isEmpty = questions.length === 0;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          icon={<Gauge size={15} aria-hidden />}
          refused={refused}
          disabled={isEmpty}
          busy={busy === 'measure'}
          onClick={() => void measure()}
        >
          {words.measure}
        </Button>
        <Button icon={<Scale size={15} aria-hidden />} refused={refused} onClick={() => setChanging(true)}>
          {trial ? searchTexts.change : searchTexts.compare}
        </Button>
        <Button
          icon={<Sparkles size={15} aria-hidden />}
          refused={refused}
          disabled={isEmpty}
          busy={busy === 'tune'}
          title={words.tuneHelp}
          onClick={() => void tune()}
        >
          {words.tune}
        </Button>
        {trial && (
          <>
            <TrialChips trial={trial} />
            <Button look="ghost" size="small" icon={<X size={13} aria-hidden />} onClick={() => setTrial(undefined)}>
              {searchTexts.endTrial}
            </Button>
          </>
        )}
      </div>
      {measured && <Figures stored={measured.stored} trial={measured.trial} />}
      {tuning && (
        <Proposal
          tuning={tuning}
          onTry={() => setTrial(tuning.settings_)}
          onTaken={() => {
            setTuning(undefined);
            setTrial(undefined);
          }}
        />
      )}
      <Suspense>
        {isChanging && (
          <TrialDrawer
            trial={trial ?? {}}
            onClose={() => setChanging(false)}
            onTake={(next) => {
              setChanging(false);
              setTrial(Object.keys(next).length ? next : undefined);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
