import { useNavigate, useSearch } from '@tanstack/react-router';
import { FlaskConical, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import { Measuring } from './measuring.tsx';
import { NewSet } from './new-set.tsx';
import { QuestionList } from './question-list.tsx';
import { useSaveSets } from './question-sets.ts';
import { readSets } from './read-sets.ts';

const words = searchTexts.quality;

/** How good searches are: sets of questions, their figures by two settings, and better settings proposed. */
export function QualityPage() {
  const base = useBase();
  const mayEdit = useMay()('kbs_edit');
  const { set: chosenId } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/quality' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/quality' });
  const saveSets = useSaveSets();
  const [dialog, setDialog] = useState<'new' | 'delete'>();
  const sets = readSets(base.meta);
  const chosen = sets.find(({ id }) => id === chosenId) ?? sets[0];
  const choose = (set: string | undefined) => void navigate({ search: (old) => ({ ...old, set }), replace: true });
  const refused = !mayEdit && baseTexts.needsEdit;
  const newButton = (
    <Button
      look={chosen ? 'plain' : 'primary'}
      icon={<Plus size={15} aria-hidden />}
      refused={refused}
      onClick={() => setDialog('new')}
    >
      {words.newSet}
    </Button>
  );
  return (
    <div className="min-w-0 flex-1 overflow-y-auto">
      {!chosen && (
        <EmptyState icon={<FlaskConical size={20} aria-hidden />} {...words.noSets}>
          {newButton}
        </EmptyState>
      )}
      {chosen && (
        <div className="mx-auto flex max-w-260 flex-col gap-5 px-5 py-4 max-narrow:px-3">
          <p className="text-dense text-text-2">{words.intro}</p>
          <div className="flex flex-wrap items-center gap-2">
            <Select
              aria-label={words.sets}
              value={chosen.id}
              options={sets.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={choose}
              className="w-64"
            />
            {newButton}
            <Button
              look="ghost"
              icon={<Trash2 size={15} aria-hidden />}
              refused={refused}
              onClick={() => setDialog('delete')}
            >
              {words.deleteSet}
            </Button>
          </div>
          <Measuring key={`measure ${chosen.id}`} set={chosen} />
          <QuestionList key={chosen.id} set={chosen} />
        </div>
      )}
      {dialog === 'new' && (
        <NewSet
          onClose={() => setDialog(undefined)}
          onMade={(id) => {
            setDialog(undefined);
            choose(id);
          }}
        />
      )}
      {dialog === 'delete' && chosen && (
        <Confirm
          open
          onClose={() => setDialog(undefined)}
          title={words.deleteTitle(chosen.name)}
          help={words.deleteHelp(chosen.questions.length)}
          action={words.deleteSet}
          onConfirm={async () => {
            await saveSets((old) => old.filter(({ id }) => id !== chosen.id));
            choose(undefined);
          }}
        />
      )}
    </div>
  );
}
