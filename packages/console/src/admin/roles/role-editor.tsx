import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { roleTexts as words } from '../../text/admin/roles.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { usePermissions } from '../shared/queries.ts';
import { useRefresh } from '../shared/use-admin.ts';
import { PermissionBoxes } from './permission-boxes.tsx';
import type { Role } from './roles-page.tsx';

const heldBy = (role: Role | undefined) =>
  new Set(Object.entries(role?.permissions ?? {}).flatMap(([name, on]) => (on ? [name] : [])));

/** A role with every permission in words: new, copied `from` another, or changed. */
export function RoleEditor({ role, from, onClose }: { role?: Role; from?: Role; onClose: () => void }) {
  const client = useClient();
  const { id: w, name: workspace } = useWorkspace();
  const { refresh } = useRefresh('roles', 'members', 'keys');
  const { data: permissions } = usePermissions();
  const start = role ?? from;
  const [name, setName] = useState(from ? words.copyOf(from.name) : (role?.name ?? ''));
  const [description, setDescription] = useState(start?.description ?? '');
  const [scope, setScope] = useState<Role['scope']>(start?.scope ?? 'workspace');
  const [only, setOnly] = useState(from?.group_id ?? '');
  const [held, setHeld] = useState<ReadonlySet<string>>(heldBy(start));
  const shown = (permissions ?? []).filter((entry) => entry.scope === scope);
  const isFixed = role !== undefined && !role.may?.edit;
  const boxes = permissions ? (
    <PermissionBoxes permissions={shown} held={held} onChange={setHeld} disabled={isFixed} />
  ) : (
    <Loading />
  );
  if (isFixed)
    return (
      <Dialog
        open
        wide
        onClose={onClose}
        title={words.editTitle(role.name)}
        help={words.fixed}
        foot={
          <Button data-autofocus onClick={onClose}>
            {t.ui.close}
          </Button>
        }
      >
        {boxes}
      </Dialog>
    );
  const save = async () => {
    const flags = Object.fromEntries(shown.map(({ id }) => [id, held.has(id)]));
    const body = { name: name.trim(), description: description.trim(), permissions: flags };
    if (role) await client.roles.update(role.id, body, { ifMatch: role.etag });
    else await client.roles.create({ ...body, scope, ...(scope === 'workspace' && only && { group_id: only }) });
    await refresh();
  };
  return (
    <FormDialog
      wide
      title={role ? words.editTitle(role.name) : words.make}
      action={role ? words.save : words.submit}
      onClose={onClose}
      check={() => ({ name: !name.trim() && words.needName })}
      explain={(error) => (error.code === 'etag_mismatch' ? words.conflict : undefined)}
      send={save}
    >
      {(faultOf) => (
        <>
          <div className="grid gap-4 phone:grid-cols-2">
            <Field label={words.name} error={faultOf('name')}>
              <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
            </Field>
            <Field label={words.description} error={faultOf('description')}>
              <TextInput value={description} onChange={({ target }) => setDescription(target.value)} />
            </Field>
            {!role && (
              <Field label={words.scope} group>
                <Segmented
                  label={words.scope}
                  value={scope}
                  options={(['workspace', 'organization'] as const).map((value) => ({
                    ...{ value, label: words.scopes[value] },
                  }))}
                  onChange={(value) => {
                    setScope(value);
                    setHeld(new Set());
                  }}
                />
              </Field>
            )}
            {!role && scope === 'workspace' && (
              <Field label={words.only}>
                <Select
                  value={only}
                  empty={words.everyWorkspace}
                  options={[{ value: w, label: words.onlyHere(workspace) }]}
                  onChange={setOnly}
                />
              </Field>
            )}
          </div>
          <section aria-label={words.permissions} className="flex flex-col gap-3 border-t border-line pt-4">
            <p className="num text-dense text-text-3">{words.held(shown.filter(({ id }) => held.has(id)).length)}</p>
            {boxes}
          </section>
        </>
      )}
    </FormDialog>
  );
}
