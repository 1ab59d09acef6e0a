import { X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { teamTexts as words } from '../../text/admin/people.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { usePaged } from '../shared/paged.tsx';
import { Named } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { Team } from './teams.tsx';

export function TeamName({ team, onClose }: { team?: Team; onClose: () => void }) {
  const client = useClient();
  const { refresh } = useRefresh('teams');
  const [name, setName] = useState(team?.name ?? '');
  return (
    <FormDialog
      title={team ? words.renameTitle(team.name) : words.make}
      action={team ? words.rename : words.submit}
      onClose={onClose}
      check={() => ({ name: !name.trim() && words.needName })}
      send={async () => {
        if (team) await client.userGroups.update(team.id, { name: name.trim() }, { ifMatch: team.etag });
        else await client.userGroups.create({ name: name.trim() });
        await refresh();
      }}
    >
      {(faultOf) => (
        <Field label={words.name} error={faultOf('name')}>
          <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      )}
    </FormDialog>
  );
}

/** Who is in a team. */
export function TeamPeople({ team, mayChange, onClose }: { team: Team; mayChange: boolean; onClose: () => void }) {
  const client = useClient();
  const { act } = useRefresh('teams', 'members');
  const { list, more } = usePaged(['teams', 'people', team.id], (page) =>
    client.userGroups.listMembers(team.id, { page, size: 50 }),
  );
  return (
    <Dialog open changed={false} onClose={onClose} title={words.peopleOf(team.name)}>
      {mayChange && (
        <AddPerson
          onAdd={(person) => act(() => client.userGroups.addMember(team.id, person.id), words.added(person.name))}
        />
      )}
      <Loaded query={list}>
        {(people) => (
          <ul className="mt-3 divide-y divide-line">
            {people.length === 0 && <li className="py-2 text-dense text-text-2">{words.nobody}</li>}
            {people.map((person) => (
              <li key={person.person_id} className="flex items-center gap-3 py-1.5">
                <span className="min-w-0 flex-1">
                  <Named name={person.name} below={person.email} />
                </span>
                {mayChange && (
                  <IconButton
                    label={words.takeOut(person.name)}
                    icon={<X size={15} />}
                    onClick={() =>
                      void act(
                        () => client.userGroups.removeMember(team.id, person.person_id),
                        words.takenOut(person.name),
                      )
                    }
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {more}
    </Dialog>
  );
}

/** Finds a person of the organization by typing. */
export function AddPerson(props: {
  onAdd: (person: { id: string; name: string }) => unknown;
  label?: string;
  error?: string | undefined;
}) {
  const { onAdd, label = words.add, error } = props;
  const client = useClient();
  const [query, setQuery] = useState('');
  const { list } = usePaged(['people', 'find', query.trim()], (page) =>
    client.people.list({ page, size: 8, ...(query.trim() && { search: query.trim() }) }),
  );
  const people = list.data ?? [];
  return (
    <Field label={label} error={error}>
      <Combobox
        label={label}
        query={query}
        onQuery={setQuery}
        options={people.map(({ id, name, email }) => ({ value: id, label: name, help: email }))}
        onChoose={(id) => {
          const person = people.find((one) => one.id === id);
          if (person) onAdd(person);
        }}
      />
    </Field>
  );
}
