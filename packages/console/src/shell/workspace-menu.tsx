import { useRouter } from '@tanstack/react-router';
import { ChevronsUpDown, Settings } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useMay, useSession, useWorkspace } from '../api/session.ts';
import { t } from '../text/en.ts';
import { Menu } from '../ui/menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { Logo } from './logo.tsx';
import { samePage } from './same-page.ts';
import { WorkspaceList } from './workspace-list.tsx';

/** From this many on, workspaces are found by typing. */
const many = 8;

/** Switches the workspace and keeps the page: the list of agents stays the list of agents, the keys of Admin stay the keys. */
export function WorkspaceMenu({ labelClass }: { labelClass: string }) {
  const { workspaces } = useSession();
  const workspace = useWorkspace();
  const may = useMay();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const go = (id: string) => {
    setOpen(false);
    void router.navigate({ to: samePage(router.state.location.pathname, id) });
  };
  const settings = () => {
    setOpen(false);
    void router.navigate({ to: `/w/${workspace.id}/admin` });
  };
  const trigger = <Trigger name={workspace.name} labelClass={labelClass} />;
  if (workspaces.length >= many)
    return (
      <Popover open={open} onOpenChange={setOpen} label={t.shell.switchWorkspace} trigger={trigger}>
        <WorkspaceList onPick={go} onSettings={may('workspace_admin') ? settings : undefined} />
      </Popover>
    );
  return (
    <Menu
      align="start"
      trigger={trigger}
      groups={[
        workspaces.map(({ id, name }) => ({
          ...{ id, label: name, checked: id === workspace.id, onSelect: () => go(id) },
        })),
        [
          may('workspace_admin') && {
            ...{ label: t.shell.workspaceSettings, icon: <Settings size={15} />, onSelect: settings },
          },
        ],
      ]}
    />
  );
}

function Trigger({ name, labelClass, ...rest }: { name: string; labelClass: string } & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className="mb-1.5 flex items-center gap-2.25 rounded-2 px-2 py-1.5 text-left hover:bg-sunken pointer-coarse:min-h-11"
    >
      <Logo />
      <span className={labelClass}>
        <span className="sr-only">{t.shell.workspaceMenu} </span>
        <span className="block truncate text-label leading-[17px] font-semibold">{name}</span>
        <span className="block truncate text-caption text-text-3">{t.shell.product}</span>
      </span>
      <ChevronsUpDown
        size={14}
        aria-hidden
        className={labelClass.includes('sr-only') ? 'hidden' : 'flex-none text-text-3 max-wide:hidden'}
      />
    </button>
  );
}
