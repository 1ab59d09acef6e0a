import type { AnswerOf } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { sayBytes, sayDuration } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { systemTexts as words } from '../../text/admin/system.ts';
import { Chip } from '../../ui/chip.tsx';
import { Facts } from '../shared/facts.tsx';
import { Card } from '../shared/section-page.tsx';
import { Table } from '../shared/table.tsx';

const sandboxTones = { checking: 'plain', ready: 'ok', unavailable: 'bad' } as const;

/** Process, work, storage, engines, environment. */
export function SystemParts({ system }: { system: AnswerOf<'system.get'> }) {
  const { workers, queue, disk, database, sandboxes } = system;
  const time = (at: string | null) => (at ? <time title={sayExactTime(at)}>{sayTime(at)}</time> : adminTexts.never);
  return (
    <>
      <div className="grid gap-5 narrow:grid-cols-2">
        <Card title={words.process}>
          <Facts
            facts={[
              [words.version, system.version],
              [words.started, time(system.started_at)],
              [words.roles, system.roles.map((role) => words.roleNames[role]).join(', ')],
              [words.memory, sayBytes(system.memory_bytes)],
              [words.node, system.node],
              [words.platform, system.platform],
            ]}
          />
        </Card>
        <Card title={words.work}>
          <Facts
            facts={[
              [
                words.workers,
                <Chip key="alive" tone={workers.alive > 0 ? 'ok' : 'bad'} dot>
                  {words.alive(workers.alive)}
                </Chip>,
              ],
              [words.lastSeen, time(workers.last_seen_at)],
              [words.queue, words.queueLine(queue.waiting, queue.running, queue.scheduled, queue.failed)],
              [words.oldest, sayDuration(queue.oldest_waiting_seconds * 1000)],
              ...queue.jobs
                .slice(0, 8)
                .map(({ job, waiting, failed }) => [job, words.jobLine(waiting, failed)] as const),
            ]}
          />
        </Card>
        <Card title={words.storage}>
          <Facts
            facts={[
              [words.disk, words.free(sayBytes(disk.free_bytes), sayBytes(disk.total_bytes))],
              [words.database, words.databaseLine(database.version, database.embedded)],
              [words.size, sayBytes(database.size_bytes)],
              [words.connections, adminTexts.of(String(database.connections), String(database.max_connections))],
              [words.migrations, database.migrations],
              [words.answered, sayDuration(database.answered_ms)],
            ]}
          />
        </Card>
        <Card title={words.engines}>
          <Facts
            facts={[
              [
                words.sandboxes,
                <Chip key="state" tone={sandboxTones[sandboxes.state]} dot>
                  {words.sandboxStates[sandboxes.state]}
                  {sandboxes.engine && `, ${sandboxes.engine}`}
                </Chip>,
              ],
              [words.isolation, sandboxes.isolation ?? adminTexts.none],
              [words.tagger, words.taggers[system.tagger]],
            ]}
          />
          {sandboxes.advice && <p className="px-4 pb-3 text-dense text-text-2">{sandboxes.advice}</p>}
        </Card>
      </div>
      <Card
        title={words.environment}
        help={words.environmentHelp}
        actions={
          <Link to={'/help/deploy' as string} className="text-label font-medium">
            {words.environmentGuide}
          </Link>
        }
      >
        {system.environment.length === 0 ? (
          <p className="px-4 py-3 text-dense text-text-2">{words.environmentNone}</p>
        ) : (
          <Table
            label={words.environment}
            rows={system.environment}
            keyOf={({ name }) => name}
            columns={[
              {
                label: words.variable,
                isName: true,
                cell: ({ name }) => <span className="font-mono text-code wrap-anywhere">{name}</span>,
              },
              { label: words.meaning, cell: ({ meaning }) => meaning },
            ]}
          />
        )}
      </Card>
    </>
  );
}
