import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, RefreshCw } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { systemTexts as words } from '../../text/admin/system.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card, SectionPage } from '../shared/section-page.tsx';
import { SystemParts } from './system-parts.tsx';

/** The state of the server, with what would be better first. */
export function SystemPage() {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({
    queryKey: [id, 'system'],
    queryFn: () => client.system.get(),
    refetchInterval: 30_000,
  });
  const advice = query.data?.advice;
  return (
    <SectionPage
      section="system"
      guide="system"
      beside={
        advice && (
          <Chip tone={advice.length > 0 ? 'warn' : 'ok'}>
            {advice.length > 0 ? words.problems(advice.length) : words.allWell}
          </Chip>
        )
      }
      actions={
        <Button icon={<RefreshCw size={15} aria-hidden />} busy={query.isFetching} onClick={() => void query.refetch()}>
          {words.refresh}
        </Button>
      }
    >
      <Loaded query={query} rows={10}>
        {(system) => (
          <>
            <Card title={words.advice}>
              <ul className="divide-y divide-line">
                {system.advice.length === 0 && (
                  <li className="flex items-center gap-2.5 px-4 py-2.5 text-dense">
                    <CircleCheck size={16} aria-hidden className="flex-none text-ok" />
                    {words.fine}
                  </li>
                )}
                {system.advice.map(({ code, message }) => (
                  <li key={code} className="flex items-start gap-2.5 px-4 py-2.5 text-dense">
                    <CircleAlert size={16} aria-hidden className="mt-px flex-none text-warn" />
                    <span className="wrap-anywhere">{message}</span>
                  </li>
                ))}
              </ul>
            </Card>
            <SystemParts system={system} />
          </>
        )}
      </Loaded>
    </SectionPage>
  );
}
