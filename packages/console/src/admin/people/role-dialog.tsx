import { AtriumError } from '@atrium/sdk';
import { useRef, useState } from 'react';
import { peopleTexts } from '../../text/admin/people.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRoleOptions } from '../shared/queries.ts';

/** The role that a person or a team has in the workspace, and its version. */
interface GivenRole {
  role_id: string;
  etag: string;
}

/** Chooses a role of this workspace for a person or a team. A role that was changed meanwhile is shown beside the own choice. */
export function RoleDialog(props: {
  title: string;
  help: string;
  given: GivenRole | undefined;
  readNow: () => Promise<GivenRole | undefined>;
  onClose: () => void;
  onChoose: (roleId: string, ifMatch: string | undefined) => Promise<unknown>;
}) {
  const options = useRoleOptions();
  const [chosen, setChosen] = useState(props.given?.role_id ?? '');
  const role = chosen || options[0]?.value || '';
  const seen = useRef(props.given);
  const nameOf = (id: string | undefined) => options.find(({ value }) => value === id)?.label ?? '';
  const choose = async () => {
    try {
      await props.onChoose(role, seen.current?.etag);
    } catch (error) {
      // The next press is about the role as it is now.
      if (error instanceof AtriumError && error.code === 'etag_mismatch') seen.current = await props.readNow();
      throw error;
    }
  };
  return (
    <FormDialog
      title={props.title}
      help={props.help}
      action={peopleTexts.members.changeRole}
      onClose={props.onClose}
      send={choose}
      explain={(error) =>
        error.code === 'etag_mismatch'
          ? peopleTexts.members.roleConflict(nameOf(seen.current?.role_id), nameOf(role))
          : undefined
      }
    >
      {(faultOf) => (
        <Field label={peopleTexts.members.role} error={faultOf('role_id')}>
          <Select data-autofocus value={role} options={options} onChange={setChosen} />
        </Field>
      )}
    </FormDialog>
  );
}
