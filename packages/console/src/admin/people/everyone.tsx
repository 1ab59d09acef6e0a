import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useDeferredValue, useRef } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { usePaged } from '../shared/paged.tsx';
import { useWorkspaces } from '../shared/queries.ts';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useAddress } from '../shared/use-admin.ts';
import { PersonState } from './members.tsx';
import { PersonMenu } from './person-menu.tsx';

const words = peopleTexts.everyone;
export type Person = ItemOf<'people.list'>;

/** Everybody of the organization, with what they are in which workspace. */
export function Everyone() {
  const client = useClient();
  const [{ search = '' }, show] = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const asked = useDeferredValue(search.trim());
  const { list, more } = usePaged(['people', asked], (page) =>
    client.people.list({ page, size: 50, ...(asked && { search: asked }) }),
  );
  const places = usePlaces();
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  return (
    <Card
      title={words.title}
      actions={
        <TextInput
          ref={field}
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={search}
          onChange={({ target }) => show({ search: target.value || undefined })}
          className="w-72!"
        />
      }
    >
      <Loaded query={list} rows={8}>
        {(people) =>
          people.length === 0 ? (
            <EmptyState icon={<Users size={20} aria-hidden />} title={words.none(search)}>
              <Button onClick={() => show({ search: undefined })}>{t.ui.clearFilters}</Button>
            </EmptyState>
          ) : (
            <Table
              label={words.title}
              rows={people}
              keyOf={(person) => person.id}
              columns={[
                {
                  label: peopleTexts.members.name,
                  isName: true,
                  cell: (person) => (
                    <span className="flex items-center gap-2.5">
                      <Avatar name={person.name} kind="person" size={28} />
                      <Named name={person.name} below={person.email} />
                    </span>
                  ),
                },
                { label: peopleTexts.members.state, cell: (person) => <PersonState {...person} /> },
                {
                  label: words.lastSeen,
                  cell: ({ last_sign_in_at: at }) =>
                    at ? <time title={sayExactTime(at)}>{sayTime(at)}</time> : words.notYet,
                },
                {
                  label: words.workspaces,
                  cell: ({ id }) => <span className="text-text-2">{places.get(id)?.join(', ') ?? words.nowhere}</span>,
                },
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (person) => <PersonMenu person={person} />,
                },
              ]}
            />
          )
        }
      </Loaded>
      {more}
    </Card>
  );
}

/** Workspaces whose members are asked for, one request each. */
const mostWorkspaces = 40;

/** "Support: Editor" of each person, by their ids. */
function usePlaces(): Map<string, string[]> {
  const client = useClient();
  const { id } = useWorkspace();
  const workspaces = useWorkspaces().data?.slice(0, mostWorkspaces);
  const { data } = useQuery({
    queryKey: [id, 'members', 'everywhere', workspaces?.map((workspace) => workspace.id)],
    queryFn: () =>
      Promise.all(
        (workspaces ?? []).map(async (workspace) => ({ workspace, members: await client.members.list(workspace.id) })),
      ),
    enabled: workspaces !== undefined,
  });
  const places = new Map<string, string[]>();
  for (const { workspace, members } of data ?? [])
    for (const { person_id, role_name } of members)
      places.set(person_id, [...(places.get(person_id) ?? []), `${workspace.name}: ${role_name}`]);
  return places;
}
