import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FolderTree } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { connectionTexts } from '../../text/connections.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useRefresh } from '../common/queries.ts';
import { SandboxActions } from './sandbox-actions.tsx';
import { SandboxFiles } from './sandbox-files.tsx';
import { nameOf, type SandboxWithUsage, stateTones } from './sandboxes.ts';
import { TerminalInput } from './terminal-input.tsx';
import { TerminalOutput } from './terminal-output.tsx';
import { useTerminal } from './use-terminal.ts';

const words = connectionTexts.terminal;
const views = ['terminal', 'commands'] as const;
const PtyView = lazyPart(() => import('./pty/pty-view.tsx'));

/** A sandbox: commands with their output as it comes, and the files beside them. The folder is in the address. */
export function TerminalPage() {
  const { id } = useParams({ from: '/signed-in/w/$w/resources/sandboxes/$id' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const may = useMay()('sandboxes_run');
  const query = useQuery({
    queryKey: [w, 'sandbox', id],
    queryFn: () => client.sandboxes.get(id),
    enabled: may,
    refetchInterval: 30_000,
  });
  const toList = () => void navigate({ to: '/w/$w/resources/$tab', params: { w, tab: 'sandboxes' }, search: {} });
  const crumb = { label: connectionTexts.sandboxes.list, to: `/w/${w}/resources/sandboxes` };
  if (query.data) return <Terminal key={id} sandbox={query.data} crumb={crumb} onDeleted={toList} />;
  return (
    <Page title={words.title} crumb={crumb} guide="sandboxes">
      {!may && (
        <EmptyState
          title={resourceTexts.mayNot(resourceTexts.tabs.sandboxes)}
          help={resourceTexts.mayNotHelp('sandboxes_run')}
        />
      )}
      {may && query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
      {query.isError && (
        <>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          <Button className="mx-4" onClick={toList}>
            {connectionTexts.sandboxes.toList}
          </Button>
        </>
      )}
    </Page>
  );
}

interface TerminalProps {
  sandbox: SandboxWithUsage;
  crumb: { label: string; to: string };
  onDeleted: () => void;
}

function Terminal({ sandbox, crumb, onDeleted }: TerminalProps) {
  const { id, status, network, persistent, isolation, advice, disk_bytes, disk_limit_bytes } = sandbox;
  const takes =
    disk_bytes !== null && disk_limit_bytes !== null && words.takes(sayBytes(disk_bytes), sayBytes(disk_limit_bytes));
  const { path: folder = '', view } = useSearch({ from: '/signed-in/w/$w/resources/sandboxes/$id' });
  const navigate = useNavigate({ from: '/w/$w/resources/sandboxes/$id' });
  const refresh = useRefresh('sandbox-files', 'sandbox');
  const [showsFiles, setShowsFiles] = useState(() => window.innerWidth >= 900);
  const isTerminal = sandbox.terminal && view !== 'commands';
  const toFolder = (next: string) =>
    void navigate({ search: (old) => ({ ...old, path: next || undefined }), replace: true });
  const toView = (next: string) =>
    void navigate({ search: (old) => ({ ...old, view: next === 'commands' ? next : undefined }), replace: true });
  const { entries, running, run, stop, clear } = useTerminal(id, folder, toFolder, () => void refresh());
  const texts = connectionTexts.sandboxes;
  return (
    <Page
      title={nameOf(sandbox)}
      crumb={crumb}
      guide="sandboxes"
      scrolls={false}
      beside={
        <>
          <Chip tone={stateTones[status]} dot>
            {texts.states[status]}
          </Chip>
          {network && <Chip tone="warn">{texts.online}</Chip>}
        </>
      }
      actions={
        <>
          <IconButton
            label={showsFiles ? words.hideFiles : words.showFiles}
            icon={<FolderTree size={16} />}
            on={showsFiles}
            onClick={() => setShowsFiles(!showsFiles)}
          />
          <SandboxActions sandbox={sandbox} onDeleted={onDeleted} />
        </>
      }
    >
      <div className={cx('flex min-w-0 flex-1 flex-col', showsFiles && 'max-narrow:hidden')}>
        <p className="border-b border-line px-5 py-2 text-caption text-text-2 max-narrow:px-3" title={advice}>
          {[persistent ? texts.keeps : texts.goes, texts.isolations[isolation]].join(', ')}. {takes}{' '}
          {isTerminal ? connectionTexts.pty.help : words.help}
        </p>
        {sandbox.terminal && (
          <div className="flex-none border-b border-line px-5 py-2 max-narrow:px-3">
            <Segmented
              label={connectionTexts.pty.view}
              value={isTerminal ? 'terminal' : 'commands'}
              options={views.map((value) => ({ value, label: connectionTexts.pty.views[value] }))}
              onChange={toView}
            />
          </div>
        )}
        {isTerminal ? (
          <Suspense fallback={<Loading rows={6} />}>
            <PtyView sandboxId={id} folder={folder} onSettled={() => void refresh()} />
          </Suspense>
        ) : (
          <>
            <TerminalOutput entries={entries} />
            <TerminalInput
              {...{ folder, entries, running }}
              onRun={(asked) => void run(asked)}
              onStop={stop}
              onClear={clear}
            />
          </>
        )}
      </div>
      {showsFiles && (
        <aside className="flex w-full flex-none flex-col border-line narrow:w-80 narrow:border-l">
          <SandboxFiles sandboxId={id} folder={folder} onFolder={toFolder} />
        </aside>
      )}
    </Page>
  );
}
