import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { DocumentName } from './document-name.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { useSaveSets } from './question-sets.ts';
import type { Question, QuestionSet } from './read-sets.ts';

const words = searchTexts.quality;

/** The questions of a set with the documents that answer them. */
export function QuestionList({ set }: { set: QuestionSet }) {
  const mayEdit = useMay()('kbs_edit');
  const saveSets = useSaveSets();
  const title = useId();
  const [edited, setEdited] = useState<number | 'new'>();
  const store = (questions: Question[]) =>
    saveSets((sets) => sets.map((each) => (each.id === set.id ? { ...each, questions } : each)));
  const remove = (index: number) =>
    store(set.questions.filter((_, other) => other !== index)).catch((error: unknown) => sayFailure(error));
  const refused = !mayEdit && baseTexts.needsEdit;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2.5">
      <div className="flex items-center gap-3">
        <h2 id={title} className="text-section">
          {words.questions(set.questions.length)}
        </h2>
        <Button
          size="small"
          className="ml-auto"
          icon={<Plus size={13} aria-hidden />}
          refused={refused}
          onClick={() => setEdited('new')}
        >
          {words.addQuestion}
        </Button>
      </div>
      {set.questions.length > 0 && (
        <ul className="divide-y divide-line rounded-3 border border-line">
          {set.questions.map((question, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same question may stand there twice.
            <li key={`${index} ${question.query}`} className="flex items-center gap-3 px-3.5 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-medium break-words">{question.query}</p>
                <p className="text-caption text-text-3">
                  {question.document_ids.map((id, at) => (
                    <span key={id}>
                      {at > 0 && ', '}
                      <DocumentName id={id} />
                    </span>
                  ))}
                </p>
              </div>
              <IconButton
                label={words.editQuestion(question.query)}
                icon={<Pencil size={14} />}
                disabled={!mayEdit}
                onClick={() => setEdited(index)}
              />
              <IconButton
                label={words.removeQuestion(question.query)}
                icon={<Trash2 size={14} />}
                disabled={!mayEdit}
                onClick={() => void remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <QuestionDialog
          question={edited === 'new' ? undefined : set.questions[edited]}
          onClose={() => setEdited(undefined)}
          onSave={async (question) => {
            const changed = set.questions.map((each, index) => (index === edited ? question : each));
            await store(edited === 'new' ? [...set.questions, question] : changed);
            setEdited(undefined);
          }}
        />
      )}
    </section>
  );
}
