import { sayValue } from '../../forms/field-info.tsx';
import { agentTexts } from '../../text/agents.ts';
import { ValueDiff, WordDiff } from '../../ui/diff.tsx';
import { comparedAs, type Difference, textOf } from './changes.ts';
import { EntryDifferenceList } from './entry-difference-list.tsx';
import { areEntries } from './entry-differences.ts';
import { groupOf } from './outline.ts';
import { ReferenceDifference } from './reference-difference.tsx';

/** What differs, setting by setting: texts by words, values by key. */
export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  return (
    <ul className="divide-y divide-line rounded-3 border border-line">
      {differences.map(({ key, label, field, parts }) => (
        <li key={key} className="flex flex-col gap-1.5 px-3.5 py-3">
          <p className="flex items-baseline gap-2 text-label font-medium">
            {label}
            <span className="text-caption font-normal text-text-3">{agentTexts.groups[groupOf(field)]}</span>
          </p>
          {parts.map((part) => (
            <div key={part.field.key} className="min-w-0">
              {parts.length > 1 || part.field.key !== field.key ? (
                <p className="text-caption text-text-3">{part.field.label}</p>
              ) : null}
              <OneDifference {...part} />
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

export function OneDifference({ field, before, after }: Difference['parts'][number]) {
  if (field.references) return <ReferenceDifference field={field} before={before} after={after} />;
  const kind = comparedAs(field, before, after);
  if (kind === 'json' && areEntries(before ?? [], after ?? []))
    return <EntryDifferenceList field={field} before={before} after={after} />;
  if (kind === 'value')
    return (
      <ValueDiff before={sayValue(field, before ?? field.default)} after={sayValue(field, after ?? field.default)} />
    );
  return <WordDiff before={textOf(field, before)} after={textOf(field, after)} />;
}
