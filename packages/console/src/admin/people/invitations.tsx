import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayMoment } from '../../lib/time.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRoleOptions } from '../shared/queries.ts';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';

const words = peopleTexts.invite;

/** Invitations that were not accepted yet; nothing when there are none. */
export function Invitations() {
  const client = useClient();
  const { id } = useWorkspace();
  const { data } = useQuery({ queryKey: [id, 'invitations'], queryFn: () => client.invitations.list(id) });
  const roles = new Map(useRoleOptions().map(({ value, label }) => [value, label]));
  const { refresh } = useRefresh('invitations');
  const [revoked, setRevoked] = useState<ItemOf<'invitations.list'>>();
  if (!data?.length) return null;
  return (
    <Card title={words.open}>
      <Table
        label={words.open}
        rows={data}
        keyOf={(invitation) => invitation.id}
        columns={[
          { label: words.email, isName: true, cell: (invitation) => <Named name={invitation.email} /> },
          { label: words.role, cell: (invitation) => <Chip>{roles.get(invitation.role_id) ?? '…'}</Chip> },
          { label: words.until, cell: (invitation) => sayMoment(invitation.expires_at) },
          {
            label: words.revoke,
            isBare: true,
            isWide: true,
            cell: (invitation) => (
              <Button size="small" onClick={() => setRevoked(invitation)}>
                {words.revoke}
                <span className="sr-only"> {invitation.email}</span>
              </Button>
            ),
          },
        ]}
      />
      {revoked && (
        <Confirm
          open
          onClose={() => setRevoked(undefined)}
          title={words.revokeTitle(revoked.email)}
          help={words.revokeHelp}
          action={words.revoke}
          onConfirm={async () => {
            await client.invitations.revoke(id, revoked.id);
            await refresh();
            sayToast({ text: words.revoked });
          }}
        />
      )}
    </Card>
  );
}
