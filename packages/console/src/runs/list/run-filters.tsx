import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFoundReferences } from '../../forms/use-references.ts';
import { sayTime } from '../../lib/time.ts';
import { runTexts } from '../../text/runs.ts';
import { Chip } from '../../ui/chip.tsx';
import { FilterSheet } from '../../ui/filter-sheet.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import type { RunFilters as Filters } from '../routes.tsx';

const words = runTexts.list;
const statuses = Object.entries(runTexts.statuses).map(([value, label]) => ({ value, label }));
const periods = Object.entries(words.periods).map(([value, label]) => ({ value, label }));
const sorts = Object.entries(words.sorts).map(([value, label]) => ({ value, label }));
/** Filters that other pages lead here with. */
const given = [
  ['workflow', words.fromWorkflow],
  ['conversation', words.fromConversation],
  ['parent', words.fromRun],
  ['person', words.fromPerson],
  ['trigger', words.fromTrigger],
] as const;

/** Which runs are listed. All of it stands in the address. */
export function RunFilters() {
  const search = useSearch({ from: '/signed-in/w/$w/runs' });
  const navigate = useNavigate({ from: '/w/$w/runs' });
  const agents = useFoundReferences('agent', '');
  const show = (next: Filters & { sort?: '-cost' | '-tokens' | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const days = search.days ? String(search.days) : 'all';
  const count = [search.kind, search.status, search.agent, search.days].filter(Boolean).length;
  return (
    <>
      <FilterSheet count={count}>
        <Segmented
          label={words.kind}
          value={search.kind ?? 'all'}
          options={[
            { value: 'all', label: words.anyKind },
            { value: 'conversation', label: runTexts.kinds.conversation },
            { value: 'workflow', label: runTexts.kinds.workflow },
          ]}
          onChange={(kind) => show({ kind: kind === 'all' ? undefined : kind })}
        />
        <Select
          aria-label={words.status}
          className="w-44"
          value={search.status ?? ''}
          empty={words.anyStatus}
          options={statuses}
          onChange={(status) => show({ status: status || undefined })}
        />
        {search.kind !== 'workflow' && (
          <Select
            aria-label={words.agent}
            className="w-44"
            value={search.agent ?? ''}
            empty={words.anyAgent}
            options={agents.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(agent) => show({ agent: agent || undefined })}
          />
        )}
        {!search.from && (
          <Select
            aria-label={words.period}
            className="w-36"
            value={days}
            options={periods}
            onChange={(value) => show({ days: value === 'all' ? undefined : Number(value) })}
          />
        )}
        <Select
          aria-label={words.sort}
          className="w-44"
          value={search.sort ?? '-created_at'}
          options={sorts}
          onChange={(sort) => show({ sort: sort === '-cost' || sort === '-tokens' ? sort : undefined })}
        />
      </FilterSheet>
      {given.map(
        ([key, label]) =>
          search[key] && (
            <Chip key={key} tone="accent" onRemove={() => show({ [key]: undefined })} removeLabel={words.showAll}>
              {label}
            </Chip>
          ),
      )}
      {search.from && (
        <Chip tone="accent" onRemove={() => show({ from: undefined, to: undefined })} removeLabel={words.showAll}>
          {words.inTime(sayTime(search.from), search.to ? sayTime(search.to) : '')}
        </Chip>
      )}
    </>
  );
}
