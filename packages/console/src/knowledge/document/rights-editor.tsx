import type { VisibleTo, VisibleToInput } from '@atrium/contract/knowledge-bases/visible-to.ts';
import { useId, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useViewers, type Viewer } from './viewers.ts';

const words = documentTexts.rights;

interface RightsEditorProps {
  value: VisibleTo;
  disabled: boolean;
  onSave: (visibleTo: VisibleToInput) => Promise<unknown>;
}

/** Who sees a document or a folder: everybody who may read the knowledge base, or some. */
export function RightsEditor({ value, disabled, onSave }: RightsEditorProps) {
  const title = useId();
  const [chosen, setChosen] = useState<VisibleTo>(value);
  const { viewers, canList } = useViewers();
  const { busy, failure, submit } = useSubmit(async () => {
    await onSave(chosen === null ? [{ kind: 'everybody' }] : chosen);
    sayToast({ text: words.saved });
  });
  const keyOf = ({ kind, id }: Pick<Viewer, 'kind' | 'id'>) => `${kind}:${id}`;
  const nameOf = (viewer: Pick<Viewer, 'kind' | 'id'>) =>
    viewers.find((each) => keyOf(each) === keyOf(viewer))?.name ?? words.unknown(words.kinds[viewer.kind]);
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(value);
  const others = viewers.filter((viewer) => !chosen?.some((each) => keyOf(each) === keyOf(viewer)));
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2.5">
      <h3 id={title} className="text-label font-medium">
        {words.title}
      </h3>
      <Segmented
        label={words.title}
        value={chosen === null ? 'everybody' : 'some'}
        disabled={disabled}
        options={[
          { value: 'everybody', label: words.everybody },
          { value: 'some', label: words.some },
        ]}
        onChange={(next) => setChosen(next === 'everybody' ? null : (value ?? []))}
      />
      {chosen && (
        <>
          {chosen.length === 0 && <p className="text-dense text-text-2">{words.nobody}</p>}
          <ul aria-label={words.some} className="flex flex-wrap gap-1.5">
            {chosen.map((viewer) => (
              <li key={keyOf(viewer)}>
                <Chip
                  tone="accent"
                  {...(!disabled && {
                    onRemove: () => setChosen(chosen.filter((each) => each !== viewer)),
                    removeLabel: words.remove(nameOf(viewer)),
                  })}
                >
                  {words.kinds[viewer.kind]}: {nameOf(viewer)}
                </Chip>
              </li>
            ))}
          </ul>
          {canList ? (
            <Select
              aria-label={words.add}
              value=""
              empty={words.add}
              disabled={disabled}
              options={others.map((viewer) => ({
                ...{ value: keyOf(viewer), label: `${words.kinds[viewer.kind]}: ${viewer.name}` },
              }))}
              onChange={(key) => {
                const viewer = viewers.find((each) => keyOf(each) === key);
                if (viewer) setChosen([...chosen, { kind: viewer.kind, id: viewer.id }]);
              }}
            />
          ) : (
            <p className="text-caption text-text-3">{words.cantList}</p>
          )}
        </>
      )}
      <p className="text-caption text-text-3">{words.help}</p>
      <FailureNote failure={failure} />
      <Button
        className="self-start"
        busy={busy}
        disabled={!isChanged}
        refused={disabled && baseTexts.needsEdit}
        onClick={() => void submit()}
      >
        {words.save}
      </Button>
    </section>
  );
}
