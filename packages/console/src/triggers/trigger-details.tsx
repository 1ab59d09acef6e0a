import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Ellipsis, Pencil, Play, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { currentTimeZone, sayTime } from '../lib/time.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { t } from '../text/en.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { sayFailure, sayToast } from '../ui/toast.tsx';
import { curlOfHook } from './curl-line.ts';
import { Deliveries } from './deliveries.tsx';
import { HealthChip } from './health-chip.tsx';
import { CopiedLine } from './made-secrets.tsx';
import { TimeList } from './next-times.tsx';
import { sayWhen, type Trigger, textAt, useRefreshTriggers } from './triggers.ts';

const words = agentTabTexts.triggers;

/** One trigger: when it fires, how it does, and what came of it. */
export function TriggerDetails(props: { trigger: Trigger; onEdit: () => void; onBack: () => void }) {
  const { trigger, onEdit, onBack } = props;
  const { name, definition, health, paused_reason, last_error, next_fires, may } = trigger;
  const client = useClient();
  const refresh = useRefreshTriggers();
  const { id: w } = useWorkspace();
  // Lists say nothing of what a trigger lacks.
  const { data: whole } = useQuery({
    queryKey: [w, 'triggers', 'one', trigger.id, trigger.etag],
    queryFn: () => client.triggers.get(trigger.id),
  });
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const send = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await work();
      sayToast({ text: done });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  const remove = async () => {
    await client.triggers.delete(trigger.id);
    sayToast({ text: words.deleted(name) });
    onBack();
    await refresh();
  };
  const kind = trigger.workflow_id ? 'workflow' : 'agent';
  const isChannel = definition.type === 'slack' || definition.type === 'teams';
  const refused = !may?.['edit'] && words.needsEdit[kind];
  const cron = textAt(trigger, 'cron');
  return (
    <article aria-label={name} className="flex max-w-180 flex-col gap-5 p-5 max-narrow:p-3">
      <header className="flex flex-wrap items-center gap-2">
        <span className="narrow:hidden">
          <IconButton label={t.ui.back} icon={<ArrowLeft size={16} />} onClick={onBack} />
        </span>
        <h2 className="min-w-0 truncate text-section">{name}</h2>
        <HealthChip health={health} />
        <span className="ml-auto flex flex-wrap gap-2">
          {!isChannel && (
            <Button
              icon={<Play size={14} aria-hidden />}
              busy={busy}
              refused={!may?.['fire'] && words.needsRun[kind]}
              onClick={() => void send(() => client.triggers.fire(trigger.id, { input: {} }), words.fired)}
            >
              {words.fire}
            </Button>
          )}
          {!isChannel && (
            <Button icon={<Pencil size={14} aria-hidden />} refused={refused} onClick={onEdit}>
              {words.edit}
            </Button>
          )}
          <Menu
            trigger={<IconButton label={words.more(name)} icon={<Ellipsis size={16} />} />}
            groups={[
              [
                {
                  label: t.ui.delete,
                  icon: <Trash2 size={14} aria-hidden />,
                  danger: true,
                  refused: !may?.['delete'] && words.needsEdit[kind],
                  onSelect: () => setAsking(true),
                },
              ],
            ]}
          />
        </span>
      </header>
      {paused_reason && (
        <Banner
          tone="warn"
          title={words.paused[paused_reason]}
          action={
            <Button
              size="small"
              refused={refused}
              onClick={() => void send(() => client.triggers.takeOver(trigger.id), words.takenOver)}
            >
              {words.takeOver}
            </Button>
          }
        >
          {words.pausedHelp}
        </Banner>
      )}
      {last_error && (
        <Banner tone="bad" title={words.failed(sayTime(last_error.at))}>
          {last_error.message}
        </Banner>
      )}
      {(whole?.warnings?.length ?? 0) > 0 && (
        <Banner tone="warn" title={words.lacks}>
          {whole?.warnings?.map(({ loc }) => loc.at(-1)).join(', ')}
        </Banner>
      )}
      <dl className="grid grid-cols-[minmax(100px,max-content)_minmax(0,1fr)] gap-x-6 gap-y-3 text-label">
        <Fact name={words.when}>
          {sayWhen(trigger)}
          {cron && (
            <span className="block text-dense text-text-2">
              <code className="font-mono text-code">{cron}</code> {words.inZone(textAt(trigger, 'timezone') ?? 'UTC')}
            </span>
          )}
        </Fact>
        {next_fires.length > 0 && (
          <Fact name={words.nextTitle(currentTimeZone())}>
            <TimeList times={next_fires} />
          </Fact>
        )}
        {trigger.runs.started > 0 && (
          <Fact name={words.runs}>{words.runCounts(trigger.runs.started, trigger.runs.failed)}</Fact>
        )}
        {textAt(trigger, 'message') && (
          <Fact name={words.message}>
            <span dir="auto" className="break-words whitespace-pre-wrap">
              {textAt(trigger, 'message')}
            </span>
          </Fact>
        )}
      </dl>
      {definition.type === 'webhook' && (
        <>
          <CopiedLine label={words.address} value={`${location.origin}/hooks/${trigger.routing_key}`} />
          {may?.['edit'] && <CopiedLine label={words.curl} value={curlOfHook(location.origin, trigger)} />}
        </>
      )}
      {!isChannel && <Deliveries trigger={trigger} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(name)}
        help={words.deleteHelp[kind]}
        action={words.deleteSubmit}
        onConfirm={remove}
      />
    </article>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-2">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);
