import { useMay, useSession } from '../../api/session.ts';
import { auditTexts as words } from '../../text/admin/audit.ts';
import { Chip } from '../../ui/chip.tsx';
import { Field } from '../../ui/field.tsx';
import { FilterSheet } from '../../ui/filter-sheet.tsx';
import { Select } from '../../ui/select.tsx';
import { useMembers } from '../shared/queries.ts';
import { useAddress } from '../shared/use-admin.ts';

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts)
    .filter(([value]) => value !== '')
    .map(([value, label]) => ({ value, label }));

/** Who, what, where, when, and whether it was done. */
export function FilterBar() {
  const [search, show] = useAddress();
  const may = useMay();
  const { workspaces } = useSession();
  const members = useMembers(may('workspace_admin') ? undefined : '').data ?? [];
  const selects = [
    {
      ...{ key: 'who' as const, label: words.who, empty: words.anyone },
      options: members.map(({ person_id, name }) => ({ value: person_id, label: name })),
    },
    { key: 'what' as const, label: words.what, empty: words.anything, options: optionsOf(words.operations) },
    { key: 'when' as const, label: words.when, empty: words.ranges[''], options: optionsOf(words.ranges) },
    { key: 'outcome' as const, label: words.outcome, empty: words.outcomes[''], options: optionsOf(words.outcomes) },
    ...(may('org:admin')
      ? [
          {
            ...{ key: 'where' as const, label: words.where, empty: words.everywhere },
            options: [
              { value: 'organization', label: words.organization },
              ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
            ],
          },
        ]
      : []),
  ];
  return (
    <div className="flex flex-col gap-3">
      <FilterSheet count={selects.filter(({ key }) => search[key]).length}>
        <div className="grid gap-3 phone:grid-cols-2 narrow:grid-cols-5">
          {selects.map(({ key, label, empty, options }) => {
            const value = search[key] ?? '';
            // An address can name what the list does not have, such as an operation that few look for.
            const known = value && !options.some((option) => option.value === value) ? [{ value, label: value }] : [];
            return (
              <Field key={key} label={label}>
                <Select
                  value={value}
                  empty={empty}
                  options={[...options, ...known]}
                  onChange={(next) => show({ [key]: next || undefined })}
                />
              </Field>
            );
          })}
        </div>
      </FilterSheet>
      {search.record && (
        <p>
          <Chip
            tone="accent"
            onRemove={() => show({ record: undefined, name: undefined })}
            removeLabel={words.clearTarget}
          >
            {words.ofRecord(search.name ?? search.record)}
          </Chip>
        </p>
      )}
    </div>
  );
}
