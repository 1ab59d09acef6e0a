import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { FolderSync, Plus } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { teamTexts, signInTexts as words } from '../../text/admin/people.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { ShownOnce } from '../shared/shown-once.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';

/** Tokens of directories; a value is shown once. */
export function ScimTokens() {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'scim-tokens'], queryFn: () => client.scimTokens.list() });
  const { refresh } = useRefresh('scim-tokens');
  const [making, setMaking] = useState(false);
  const [value, setValue] = useState<string>();
  const [revoked, setRevoked] = useState<ItemOf<'scimTokens.list'>>();
  const add = (
    <Button icon={<Plus size={15} aria-hidden />} onClick={() => setMaking(true)}>
      {words.scimAdd}
    </Button>
  );
  return (
    <Card title={words.scim} help={words.scimHelp} actions={add}>
      <Loaded query={query} rows={2}>
        {(tokens) =>
          tokens.length === 0 ? (
            <EmptyState icon={<FolderSync size={20} aria-hidden />} {...words.scimNone} className="py-8" />
          ) : (
            <Table
              label={words.scim}
              rows={tokens}
              keyOf={(token) => token.id}
              columns={[
                {
                  label: teamTexts.name,
                  isName: true,
                  cell: (token) => (
                    <Named name={token.name} below={token.value}>
                      {token.adopts && <Chip tone="warn">{words.adoptsShort}</Chip>}
                    </Named>
                  ),
                },
                {
                  label: words.lastUsed,
                  cell: ({ last_used_at }) => (last_used_at ? sayTime(last_used_at) : adminTexts.never),
                },
                {
                  label: words.revoke,
                  isBare: true,
                  cell: (token) => (
                    <Button size="small" onClick={() => setRevoked(token)}>
                      {words.revoke}
                      <span className="sr-only"> {token.name}</span>
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {making && (
        <MakeToken
          onClose={() => setMaking(false)}
          onMade={async (made) => {
            await refresh();
            setMaking(false);
            setValue(made);
          }}
        />
      )}
      {value && (
        <ShownOnce title={words.scimMade} label={words.scimValue} value={value} onClose={() => setValue(undefined)} />
      )}
      {revoked && (
        <Confirm
          open
          onClose={() => setRevoked(undefined)}
          title={words.revokeTitle(revoked.name)}
          help={words.revokeHelp}
          action={words.revoke}
          onConfirm={async () => {
            await client.scimTokens.revoke(revoked.id);
            await refresh();
            sayToast({ text: words.revoked });
          }}
        />
      )}
    </Card>
  );
}

function MakeToken({ onClose, onMade }: { onClose: () => void; onMade: (value: string) => Promise<void> }) {
  const client = useClient();
  const [name, setName] = useState('');
  const [adopts, setAdopts] = useState(false);
  return (
    <FormDialog
      stays
      title={words.scimAdd}
      help={words.scimHelp}
      action={words.scimAdd}
      onClose={onClose}
      check={() => ({ name: !name.trim() && teamTexts.needName })}
      send={async () => onMade((await client.scimTokens.create({ name: name.trim(), adopts })).value)}
    >
      {(faultOf) => (
        <>
          <Field label={words.scimName} error={faultOf('name')}>
            <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          <Checkbox label={words.adopts} checked={adopts} onChange={setAdopts} />
        </>
      )}
    </FormDialog>
  );
}
