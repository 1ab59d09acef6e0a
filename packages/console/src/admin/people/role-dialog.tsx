import { useState } from 'react';
import { peopleTexts } from '../../text/admin/people.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRoleOptions } from '../shared/queries.ts';

/** Chooses a role of this workspace for a person or a team. */
export function RoleDialog(props: {
  title: string;
  help: string;
  role: string | undefined;
  onClose: () => void;
  onChoose: (roleId: string) => Promise<unknown>;
}) {
  const options = useRoleOptions();
  const [chosen, setChosen] = useState(props.role ?? '');
  const role = chosen || options[0]?.value || '';
  return (
    <FormDialog
      title={props.title}
      help={props.help}
      action={peopleTexts.members.changeRole}
      onClose={props.onClose}
      send={() => props.onChoose(role)}
    >
      {(faultOf) => (
        <Field label={peopleTexts.members.role} error={faultOf('role_id')}>
          <Select data-autofocus value={role} options={options} onChange={setChosen} />
        </Field>
      )}
    </FormDialog>
  );
}
