import { placeOf, readAt } from '../../forms/field-values.ts';
import { sayTime } from '../../lib/time.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { textOf } from './changes.ts';
import { OneDifference } from './difference-list.tsx';
import { type Conflict, draftOf } from './draft-state.ts';
import { useEditor } from './editor-context.ts';

const words = agentTexts.conflict;

/** Two people changed the same agent: both sides, what differs, and the choice. It closes by a choice only. */
export function ConflictDialog({ conflict }: { conflict: Conflict }) {
  const { store, form, tools } = useEditor();
  const { theirs, by, at, mine, others } = conflict;
  const fields = new Map([...form.fields, ...tools.fields].map((field) => [placeOf(field), field]));
  const changedByMe = mine.flatMap((change) => {
    const field = fields.get(change.path.join('.'));
    return field ? [{ field, mine: change.value, theirs: readAt(draftOf(theirs), field.path) }] : [];
  });
  const mineOnly = new Set(changedByMe.map(({ field }) => placeOf(field)));
  const theirsOnly = others.filter(({ field }) => !mineOnly.has(placeOf(field)));
  const copy = async () => {
    const texts = changedByMe.map(({ field, mine: value }) => `${field.label}\n${textOf(field, value)}`);
    await navigator.clipboard.writeText(texts.join('\n\n'));
    sayToast({ text: words.copied });
  };
  return (
    <Dialog
      open
      wide
      sticky
      onClose={() => {}}
      title={words.title(by ?? words.somebody)}
      help={
        <>
          {at && <span className="inline-block first-letter:uppercase">{sayTime(at)}.</span>} {words.help}
        </>
      }
      foot={
        <>
          <Button look="ghost" onClick={() => void copy()}>
            {words.copyMine}
          </Button>
          <Button onClick={() => void store.resolve('theirs')}>{words.takeTheirs}</Button>
          <Button look="primary" onClick={() => void store.resolve('mine')}>
            {words.keepMine}
          </Button>
        </>
      }
    >
      <h3 className="mb-2 text-label">{words.both}</h3>
      <ul className="flex flex-col gap-3">
        {changedByMe.map(({ field, mine: value, theirs: other }) => (
          <li key={placeOf(field)} className="rounded-3 border border-line">
            <p className="border-b border-line px-3.5 py-2 text-label font-medium">{field.label}</p>
            <div className="grid grid-cols-2 divide-x divide-line max-phone:grid-cols-1 max-phone:divide-x-0 max-phone:divide-y">
              <Side name={words.mine} text={textOf(field, value)} />
              <Side name={words.theirs} text={textOf(field, other)} />
            </div>
          </li>
        ))}
      </ul>
      {theirsOnly.length > 0 && (
        <>
          <h3 className="mt-4 mb-2 text-label">{words.onlyTheirs}</h3>
          <ul className="divide-y divide-line rounded-3 border border-line">
            {theirsOnly.map(({ field, before, theirs: after }) => (
              <li key={placeOf(field)} className="px-3.5 py-2.5">
                <p className="mb-1 text-label font-medium">{field.label}</p>
                <OneDifference field={field} before={before} after={after} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

const Side = ({ name, text }: { name: string; text: string }) => (
  <section aria-label={name} className="min-w-0 px-3.5 py-2.5">
    <p className="mb-1 text-caption text-text-3">{name}</p>
    <p dir="auto" className="text-dense break-words whitespace-pre-wrap">
      {text || formTexts.none}
    </p>
  </section>
);
