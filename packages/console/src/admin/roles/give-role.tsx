import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { roleTexts as words } from '../../text/admin/roles.ts';
import { t } from '../../text/en.ts';
import { Chip } from '../../ui/chip.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { AddPerson } from '../people/team-dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { Role } from './roles-page.tsx';

/** Gives a role to a person, in its workspace or in that of the address. */
export function GiveRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const client = useClient();
  const { id } = useWorkspace();
  const { refresh } = useRefresh('members', 'people');
  const [person, setPerson] = useState<{ id: string; name: string }>();
  return (
    <FormDialog
      title={words.giveTitle(role.name)}
      help={words.giveHelp}
      action={words.give}
      onClose={onClose}
      check={() => ({ person: !person && words.needPerson })}
      send={async () => {
        if (!person) return;
        await client.members.set(role.group_id ?? id, person.id, { role_id: role.id });
        await refresh();
        sayToast({ text: words.given(person.name, role.name) });
      }}
    >
      {(faultOf) => (
        <div className="flex min-h-44 flex-col gap-3">
          <AddPerson label={words.person} error={faultOf('person')} onAdd={setPerson} />
          {person && (
            <p>
              <Chip tone="accent" onRemove={() => setPerson(undefined)} removeLabel={`${t.ui.remove} ${person.name}`}>
                {person.name}
              </Chip>
            </p>
          )}
        </div>
      )}
    </FormDialog>
  );
}
