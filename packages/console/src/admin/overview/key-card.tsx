import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { keyTexts } from '../../text/admin/keys.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { keyEnd } from '../keys/key-end.ts';
import type { Key } from '../keys/key-list.tsx';
import { OverviewCard, TwoLines } from './overview-card.tsx';

const ChangeKey = lazyPart(() => import('../keys/change-key.tsx').then((file) => ({ default: file.ChangeKey })));

/** Keys that end by themselves, the next one first. */
export function useEndingKeys(enabled: boolean) {
  const client = useClient();
  const { id } = useWorkspace();
  const isOrganization = useMay()('org:admin');
  return useQuery({
    queryKey: [id, 'keys', 'overview'],
    queryFn: async () => {
      const keys = isOrganization ? (await client.keys.listAll({ size: 50 })).items : await client.keys.list(id);
      return keys
        .filter(({ expires_at }) => expires_at !== null)
        .sort((a, b) => String(a.expires_at).localeCompare(String(b.expires_at)));
    },
    enabled,
  });
}

const endTones = { over: 'font-medium text-bad', soon: 'font-medium text-warn', later: 'text-text-2', never: '' };

export function KeyCard() {
  const [renewed, setRenewed] = useState<Key>();
  return (
    <>
      <OverviewCard
        title={words.keys}
        query={useEndingKeys(true)}
        none={words.noKeyEnds}
        to={{ section: 'keys', label: words.toKeys }}
        keyOf={({ id }) => id}
      >
        {(key) => {
          const { state, days } = keyEnd(key.expires_at);
          return (
            <>
              <TwoLines
                name={key.name}
                below={
                  <>
                    <span className="font-mono">{key.value}</span>, {key.owner.name},{' '}
                    {key.last_used_at ? words.lastUsed(sayTime(key.last_used_at)) : words.neverUsed}
                  </>
                }
              />
              <time
                dateTime={key.expires_at ?? ''}
                title={sayExactTime(key.expires_at ?? 0)}
                className={cx('num flex-none text-dense', endTones[state])}
              >
                {state === 'over' ? keyTexts.over : keyTexts.inDays(days)}
              </time>
              <Button size="small" refused={!key.may?.edit && keyTexts.mayNot} onClick={() => setRenewed(key)}>
                {words.renew}
                <span className="sr-only"> {key.name}</span>
              </Button>
            </>
          );
        }}
      </OverviewCard>
      <Suspense>{renewed && <ChangeKey keyItem={renewed} onClose={() => setRenewed(undefined)} />}</Suspense>
    </>
  );
}
