import { AtriumError } from '@atrium/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { currentTimeZone, sayMoment } from '../lib/time.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';

const words = agentTabTexts.triggers.schedule;

/** The next five times of a schedule that is not saved yet, in the person's zone. */
export function NextTimes({ cron, zone }: { cron: string; zone: string }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const asked = useDeferredValue(cron.trim());
  const { data, error } = useQuery({
    queryKey: [w, 'triggers', 'preview', asked, zone],
    queryFn: () => client.triggers.previewSchedule({ cron: asked, timezone: zone }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  return (
    <div aria-live="polite" className="rounded-3 bg-sunken px-3.5 py-3 text-dense">
      {error ? (
        <p className="text-bad">
          {error instanceof AtriumError && error.status === 422 ? words.noTimes : error.message}
        </p>
      ) : (
        <>
          <p className="font-medium">{words.nextTimes(currentTimeZone())}</p>
          <TimeList times={data?.next_fires.map(({ at }) => at) ?? []} />
        </>
      )}
    </div>
  );
}

export const TimeList = ({ times }: { times: readonly string[] }) => (
  <ol className="num mt-1 flex flex-col gap-0.5 text-text-2">
    {times.map((at) => (
      <li key={at}>
        <time dateTime={at}>{sayMoment(at)}</time>
      </li>
    ))}
  </ol>
);
