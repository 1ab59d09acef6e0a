import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { sayFolder } from '../queries.ts';
import { useDocumentName } from './document-name.tsx';
import type { Question } from './read-sets.ts';

const words = searchTexts.quality;

interface QuestionDialogProps {
  question: Question | undefined;
  onClose: () => void;
  onSave: (question: Question) => Promise<void>;
}

export function QuestionDialog({ question, onClose, onSave }: QuestionDialogProps) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const formId = useId();
  const [query, setQuery] = useState(question?.query ?? '');
  const [ids, setIds] = useState(question?.document_ids ?? []);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const { data: found } = useQuery({
    queryKey: [w, 'documents', base.id, 'found', search],
    queryFn: () =>
      client.documents.listByStatus(base.id, 'trained', {
        ...{ view: 'summary', size: 20, sort: 'name' },
        ...(search && { search }),
      } as const),
    placeholderData: keepPreviousData,
  });
  const { busy, failure, submit, form } = useSubmit(() => onSave({ query: query.trim(), document_ids: ids }));
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.questionTitle}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!query.trim() || ids.length === 0}>
            {words.saveQuestion}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={(event) => void submit(event)} className="flex min-h-72 flex-col gap-4">
        <Field label={words.question}>
          <TextArea
            data-autofocus
            required
            maxLength={10_000}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        </Field>
        <Field label={words.documents} group>
          <ul aria-label={words.documents} className="flex flex-wrap gap-1.5 empty:hidden">
            {ids.map((id) => (
              <li key={id} className="max-w-full">
                <ChosenDocument id={id} onRemove={() => setIds(ids.filter((other) => other !== id))} />
              </li>
            ))}
          </ul>
          <TextInput
            type="search"
            aria-label={words.findDocument}
            placeholder={words.findDocument}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <ul className="max-h-48 divide-y divide-line overflow-y-auto rounded-2 border border-line empty:hidden">
            {found?.items.map(({ id, name, prefix }) => (
              <li key={id} className="px-2.5 py-1">
                <Checkbox
                  label={name}
                  help={sayFolder(prefix)}
                  checked={ids.includes(id)}
                  onChange={(on) => setIds(on ? [...ids, id] : ids.filter((other) => other !== id))}
                />
              </li>
            ))}
          </ul>
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}

function ChosenDocument({ id, onRemove }: { id: string; onRemove: () => void }) {
  const name = useDocumentName(id);
  return (
    <Chip tone="accent" onRemove={onRemove} removeLabel={words.removeDocument(name)}>
      {name}
    </Chip>
  );
}
