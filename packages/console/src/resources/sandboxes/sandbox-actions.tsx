import { CirclePlay, CircleStop, MoreHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { useAction } from '../common/use-action.ts';
import { nameOf, type Sandbox } from './sandboxes.ts';

const words = connectionTexts.sandboxes;

/** What can be done with a sandbox as a whole. */
export function SandboxActions({ sandbox, onDeleted }: { sandbox: Sandbox; onDeleted: () => void }) {
  const { id, status } = sandbox;
  const client = useClient();
  const refresh = useRefresh('sandboxes');
  const refreshOne = useRefresh('sandbox');
  const { run } = useAction();
  const [asking, setAsking] = useState(false);
  const name = nameOf(sandbox);
  const change = (work: () => Promise<unknown>, done: string) => void run(work, done).then(refresh).then(refreshOne);
  return (
    <>
      <Menu
        trigger={<IconButton label={resourceTexts.more(name)} icon={<MoreHorizontal size={16} />} />}
        groups={[
          [
            status === 'running'
              ? {
                  ...{ label: words.stop, icon: <CircleStop size={15} /> },
                  onSelect: () => change(() => client.sandboxes.stop(id), words.stopped(name)),
                }
              : {
                  ...{ label: words.start, icon: <CirclePlay size={15} /> },
                  onSelect: () => change(() => client.sandboxes.start(id), words.started(name)),
                },
          ],
          [{ label: t.ui.delete, icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking(true) }],
        ]}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(name)}
        help={words.deleteHelp}
        action={words.deleteSubmit}
        onConfirm={async () => {
          await client.sandboxes.delete(id);
          sayToast({ text: resourceTexts.deleted(name) });
          onDeleted();
          await refresh();
        }}
      />
    </>
  );
}
