import type { ItemOf } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { MoreHorizontal, Plus, Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { workspaceTexts as words } from '../../text/admin/workspaces.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { DataJobs } from '../shared/data-jobs.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useWorkspaces } from '../shared/queries.ts';
import { Card, SectionPage } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh, useRefusals } from '../shared/use-admin.ts';
import { ExportOwn } from './export-own.tsx';

const WorkspaceDialog = lazyPart(() =>
  import('./workspace-dialogs.tsx').then((file) => ({ default: file.WorkspaceDialog })),
);
const ImportDialog = lazyPart(() => import('./workspace-dialogs.tsx').then((file) => ({ default: file.ImportDialog })));
const DeleteDialog = lazyPart(() => import('./workspace-dialogs.tsx').then((file) => ({ default: file.DeleteDialog })));
export type WorkspaceItem = ItemOf<'workspaces.list'>;
type Opened = { kind: 'new' | 'import' } | { kind: 'change' | 'remove'; workspace: WorkspaceItem };

/** The workspaces of the organization, as far as the person may see them. */
export function WorkspacesPage() {
  const client = useClient();
  const { id: here } = useWorkspace();
  const may = useMay();
  const query = useWorkspaces();
  const { act } = useRefresh('data-jobs');
  const { ofOrganization } = useRefusals();
  const refused = !may('workspace_write') && words.needsWrite;
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <SectionPage
      section="workspaces"
      guide="keys-and-roles"
      actions={
        <>
          <Button
            icon={<Upload size={15} aria-hidden />}
            refused={ofOrganization}
            onClick={() => setOpened({ kind: 'import' })}
          >
            {words.import}
          </Button>
          <Button
            look="primary"
            icon={<Plus size={15} aria-hidden />}
            refused={refused}
            onClick={() => setOpened({ kind: 'new' })}
          >
            {words.make}
          </Button>
        </>
      }
    >
      {!may('workspace_read', 'workspace_write') && <ExportOwn />}
      {may('workspace_read', 'workspace_write') && (
        <Card title={words.title} help={words.help}>
          <Loaded query={query}>
            {(workspaces) => (
              <Table
                label={words.title}
                rows={workspaces}
                keyOf={(workspace) => workspace.id}
                columns={[
                  {
                    label: words.name,
                    isName: true,
                    cell: ({ id, name, description }) => (
                      <Named name={name} below={description ?? undefined}>
                        {id === here && <Chip tone="accent">{words.here}</Chip>}
                      </Named>
                    ),
                  },
                  {
                    label: words.files,
                    cell: ({ file_bytes, file_quota_mb }) => (
                      <span className="num">
                        {file_quota_mb > 0
                          ? adminTexts.of(sayBytes(file_bytes), sayBytes(file_quota_mb * 1e6))
                          : sayBytes(file_bytes)}
                      </span>
                    ),
                  },
                  { label: words.made, cell: ({ created_at }) => sayTime(created_at) },
                  {
                    label: adminTexts.more(''),
                    isBare: true,
                    cell: (workspace) => (
                      <span className="inline-flex items-center gap-1">
                        {workspace.id !== here && (
                          <Link
                            to="/w/$w/admin/$section"
                            params={{ w: workspace.id, section: 'workspaces' }}
                            className="px-2 font-medium"
                          >
                            {words.open}
                            <span className="sr-only"> {workspace.name}</span>
                          </Link>
                        )}
                        <Menu
                          trigger={
                            <IconButton label={adminTexts.more(workspace.name)} icon={<MoreHorizontal size={16} />} />
                          }
                          groups={[
                            [
                              {
                                label: words.change,
                                refused,
                                onSelect: () => setOpened({ kind: 'change', workspace }),
                              },
                              {
                                label: words.export,
                                refused:
                                  !(may('org:admin') || (workspace.id === here && may('workspace_admin'))) &&
                                  adminTexts.needsWorkspace,
                                onSelect: () => void act(() => client.workspaces.export(workspace.id), words.exporting),
                              },
                            ],
                            [
                              {
                                ...{ label: words.remove, danger: true },
                                refused: refused || (workspace.id === here && words.notHere),
                                onSelect: () => setOpened({ kind: 'remove', workspace }),
                              },
                            ],
                          ]}
                        />
                      </span>
                    ),
                  },
                ]}
              />
            )}
          </Loaded>
        </Card>
      )}
      {may('org:admin') && <DataJobs of="workspaces" />}
      <Suspense>
        {opened?.kind === 'new' && <WorkspaceDialog onClose={close} />}
        {opened?.kind === 'change' && <WorkspaceDialog workspace={opened.workspace} onClose={close} />}
        {opened?.kind === 'import' && <ImportDialog onClose={close} />}
        {opened?.kind === 'remove' && <DeleteDialog workspace={opened.workspace} onClose={close} />}
      </Suspense>
    </SectionPage>
  );
}
