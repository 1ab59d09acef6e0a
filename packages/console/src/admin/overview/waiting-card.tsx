import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayDay, sayTime } from '../../lib/time.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../shared/shown-once.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { OverviewCard, TwoLines } from './overview-card.tsx';

type Invitation = ItemOf<'invitations.list'>;

/** People who were invited and have not come; those whose link ends soonest first. */
export function WaitingCard() {
  const client = useClient();
  const { id } = useWorkspace();
  const { act } = useRefresh('invitations');
  const [made, setMade] = useState<Invitation>();
  const query = useQuery({ queryKey: [id, 'invitations'], queryFn: () => client.invitations.list(id) });
  const data = query.data?.toSorted((a, b) => a.expires_at.localeCompare(b.expires_at));
  const sendAgain = ({ id: old, email, role_id }: Invitation) =>
    act(async () => {
      // The old link ends only when there is a new one.
      setMade(await client.invitations.create(id, { email, role_id }));
      await client.invitations.revoke(id, old);
    });
  return (
    <>
      <OverviewCard
        title={words.waiting}
        query={{ ...query, data }}
        none={words.nobodyWaits}
        to={{ section: 'people', label: words.toPeople }}
        keyOf={(invitation) => invitation.id}
      >
        {(invitation) => (
          <>
            <Avatar name={invitation.email} kind="person" size={24} />
            <TwoLines
              name={invitation.email}
              below={words.invited(sayDay(invitation.created_at), sayTime(invitation.expires_at))}
            />
            <Button size="small" onClick={() => void sendAgain(invitation)}>
              {words.sendAgain}
              <span className="sr-only"> {invitation.email}</span>
            </Button>
          </>
        )}
      </OverviewCard>
      {made && (
        <ShownOnce
          title={words.sentAgain(made.email)}
          label={peopleTexts.invite.link}
          value={`${location.origin}/invitation#token=${made.token ?? ''}`}
          help={made.mailed ? peopleTexts.invite.mailed : peopleTexts.invite.notMailed}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}
