import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { DatabaseBackup } from 'lucide-react';
import { useState } from 'react';
import { useClient, useSession, useWorkspace } from '../../api/session.ts';
import { sayNumber } from '../../lib/numbers.ts';
import { sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { jobTexts as words } from '../../text/admin/workspaces.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from './loaded.tsx';
import { Card } from './section-page.tsx';
import { Named, Table } from './table.tsx';

type DataJob = ItemOf<'dataJobs.list'>;
const tones: Record<DataJob['status'], Tone> = { queued: 'plain', running: 'accent', done: 'ok', failed: 'bad' };
const isOver = ({ status }: DataJob) => status === 'done' || status === 'failed';

/** Exports, imports and erasures, with their progress and reports. */
const kindsOf = {
  workspaces: ['export_workspace', 'import_workspace'],
  people: ['erase_person', 'export_person'],
} satisfies Record<string, DataJob['kind'][]>;

export function DataJobs({ of }: { of: keyof typeof kindsOf }) {
  const client = useClient();
  const { id } = useWorkspace();
  const { person, workspaces } = useSession();
  const [shown, setShown] = useState<DataJob>();
  const query = useQuery({
    queryKey: [id, 'data-jobs'],
    queryFn: () => client.dataJobs.list({ size: 50 }),
    refetchInterval: ({ state }) => (state.data?.items.every(isOver) === false ? 2000 : false),
  });
  const jobs = query.data?.items.filter(({ kind }) => (kindsOf[of] as string[]).includes(kind));
  const subjectOf = ({ group_id }: DataJob) => workspaces.find((workspace) => workspace.id === group_id)?.name;
  return (
    <Card title={words.titles[of]} help={words.help}>
      <Loaded query={{ ...query, data: jobs }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<DatabaseBackup size={20} aria-hidden />} {...words.none} className="py-8" />
          ) : (
            <Table
              label={words.titles[of]}
              rows={rows}
              keyOf={(job) => job.id}
              columns={[
                {
                  label: words.what,
                  isName: true,
                  cell: (job) => (
                    <Named name={words.kinds[job.kind]} below={subjectOf(job) ?? job.error ?? undefined} />
                  ),
                },
                { label: words.by, cell: ({ created_by_actor }) => created_by_actor?.name ?? adminTexts.none },
                { label: words.when, cell: ({ created_at }) => sayTime(created_at) },
                {
                  label: words.state,
                  cell: (job) => (
                    <Chip tone={tones[job.status]} dot>
                      {words.states[job.status]}
                      {job.status === 'running' && ` ${words.percent(job.progress)}`}
                    </Chip>
                  ),
                },
                {
                  label: words.report,
                  isBare: true,
                  cell: (job) => (
                    <span className="inline-flex items-center gap-2">
                      {job.has_file && job.created_by === person.id && (
                        <a href={client.url('dataJobs.download', job.id)} download className="font-medium">
                          {words.download}
                        </a>
                      )}
                      {isOver(job) && (
                        <Button size="small" onClick={() => setShown(job)}>
                          {words.report}
                          <span className="sr-only"> {words.kinds[job.kind]}</span>
                        </Button>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {shown && <JobReport job={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}

function JobReport({ job, onClose }: { job: DataJob; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={words.reportOf(words.kinds[job.kind])} help={job.error ?? undefined}>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 text-dense">
        {Object.entries(job.report).map(([what, count]) => (
          <div key={what} className="contents">
            <dt>{what.replaceAll('_', ' ')}</dt>
            <dd className="num text-right">{sayNumber(Number(count))}</dd>
          </div>
        ))}
      </dl>
      {job.follow_up.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-label font-semibold">{words.followUp}</h3>
          <ul className="flex flex-col gap-1 text-dense">
            {job.follow_up.map((entry) => (
              <li key={`${entry.kind} ${entry.name} ${entry.what} ${entry.detail}`}>
                <span className="font-medium">{words.follow[entry.what]}</span>: {entry.kind.replaceAll('_', ' ')}{' '}
                {entry.name} <span className="text-text-3">{entry.detail}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
