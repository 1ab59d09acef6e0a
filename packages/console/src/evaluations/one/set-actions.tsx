import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-root.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { type Evaluation, useRefreshEvaluations, useVersionNames } from '../evaluations.ts';
import { RenameSet } from './rename-set.tsx';

const words = evaluationTexts;
const mostVersions = 8;

/** Runs the set for a version or the draft, renames it, deletes it. */
export function SetActions({ set, onStarted }: { set: Evaluation; onStarted: (runId: string) => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const navigate = useNavigate();
  const refresh = useRefreshEvaluations();
  const { versions } = useVersionNames(set.agent_id);
  const [asking, setAsking] = useState<'rename' | 'delete'>();
  const start = async (body: { version_id?: string; draft?: boolean }) => {
    try {
      const { id } = await client.evaluationRuns.start(set.id, body);
      await refresh();
      onStarted(id);
      sayToast({ text: words.run.started });
    } catch (error) {
      sayFailure(error);
    }
  };
  const mayEdit = may('agents_edit');
  const refused = !mayEdit && words.needsEdit;
  const entries: MenuEntry[] = versions.slice(0, mostVersions).map(({ id, number }) => ({
    ...{ id, label: words.version(number), refused },
    onSelect: () => void start({ version_id: id }),
  }));
  const remove = async () => {
    await client.evaluations.delete(set.id);
    sayToast({ text: words.remove.done(set.name) });
    await navigate({ to: '/w/$w/evaluations', params: { w } });
    await refresh();
  };
  const cantRun = (!may('agents_run') && words.needsRun) || (set.cases.length === 0 && words.run.noCases);
  const runButton = (
    <Button look="primary" icon={<Play size={14} aria-hidden />} refused={cantRun}>
      {words.run.action}
    </Button>
  );
  return (
    <>
      {cantRun ? (
        runButton
      ) : (
        <Menu
          trigger={runButton}
          groups={[
            [
              { label: words.run.publishedAlone, onSelect: () => void start({}) },
              { label: words.run.draft, refused, onSelect: () => void start({ draft: true }) },
            ],
            entries,
          ]}
        />
      )}
      <Menu
        trigger={<IconButton label={words.more(set.name)} icon={<Ellipsis size={16} />} />}
        groups={[
          [
            {
              ...{ label: words.rename.action, icon: <Pencil size={14} aria-hidden />, refused },
              onSelect: () => setAsking('rename'),
            },
          ],
          [
            {
              ...{ label: words.remove.action, icon: <Trash2 size={14} aria-hidden />, danger: true, refused },
              onSelect: () => setAsking('delete'),
            },
          ],
        ]}
      />
      {asking === 'rename' && <RenameSet set={set} onClose={() => setAsking(undefined)} />}
      <Confirm
        open={asking === 'delete'}
        onClose={() => setAsking(undefined)}
        title={words.remove.title(set.name)}
        help={words.remove.help(set.cases.length)}
        action={words.remove.submit}
        onConfirm={remove}
      />
    </>
  );
}
