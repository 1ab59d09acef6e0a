import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';

export type Site = ItemOf<'sites.list'>;

/** Events of crawls need `kbs_edit`: while one runs the sites are asked for besides. */
export const crawlPause = 2000;

export function useSites(kbId: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  return useQuery({
    queryKey: [w, 'kb_sites', kbId, 'list'],
    queryFn: async () => (await client.sites.list(kbId, { size: 100, sort: 'url' })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'crawling') ? crawlPause : false),
  });
}

/** The rhythms that have a name; every other schedule is a cron expression. */
export const rhythms = { none: '', hourly: '0 * * * *', daily: '0 3 * * *', weekly: '0 3 * * 1' } as const;
export type Rhythm = keyof typeof rhythms | 'other';

export const rhythmOf = (schedule: string | null): Rhythm => {
  const found = Object.entries(rhythms).find(([, cron]) => cron === (schedule ?? ''));
  return (found?.[0] as Rhythm | undefined) ?? 'other';
};
