import { KeySquare, MoreHorizontal, Plus, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { Listed } from '../common/listed.tsx';
import { useRefresh } from '../common/queries.ts';
import { Row } from '../common/row.tsx';
import { useAction } from '../common/use-action.ts';
import { usePages } from '../common/use-pages.ts';
import type { Vault } from './vault-dialog.tsx';

const VaultDialog = lazyPart(() => import('./vault-dialog.tsx').then(({ VaultDialog }) => ({ default: VaultDialog })));
const words = connectionTexts.vaults;

/** The vaults that variables are read from. */
export function Vaults({ search, onClear }: { search: string; onClear: () => void }) {
  const client = useClient();
  const mayEdit = useMay()('variables_edit');
  const refresh = useRefresh('vault-credentials');
  const [edited, setEdited] = useState<Vault | 'new'>();
  const [deleting, setDeleting] = useState<Vault>();
  const pages = usePages(['vault-credentials', 'list', search], (page) =>
    client.vaultCredentials.list({ page, size: 50, ...(search && { search }) }),
  );
  const refused = !mayEdit && resourceTexts.needs('variables_edit');
  const addButton = (
    <Button icon={<Plus size={15} aria-hidden />} refused={refused} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  return (
    <section aria-label={words.title} className="flex flex-col gap-3">
      <div className="flex items-center gap-3 pt-4">
        <h2 className="text-section">{words.title}</h2>
        <span className="ml-auto">{addButton}</span>
      </div>
      <Listed
        label={words.title}
        pages={pages}
        none={{ ...words.none, icon: <KeySquare size={20} aria-hidden /> }}
        filtered={search ? { title: connectionTexts.servers.noneFound, onClear } : undefined}
        rowOf={(vault) => (
          <Row
            key={vault.id}
            icon={<KeySquare size={16} />}
            title={vault.name}
            onOpen={() => mayEdit && setEdited(vault)}
            end={
              <>
                <TestButton vault={vault} refused={refused} />
                <Menu
                  trigger={<IconButton label={resourceTexts.more(vault.name)} icon={<MoreHorizontal size={16} />} />}
                  groups={[
                    [
                      {
                        ...{ label: t.ui.delete, icon: <Trash2 size={15} />, danger: true, refused },
                        onSelect: () => setDeleting(vault),
                      },
                    ],
                  ]}
                />
              </>
            }
          >
            <p className="truncate">
              {vault.address} · {words.methods[vault.auth_method]}
            </p>
          </Row>
        )}
      />
      <Suspense>
        {edited && <VaultDialog vault={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      </Suspense>
      {deleting && (
        <Confirm
          open
          onClose={() => setDeleting(undefined)}
          title={words.deleteTitle(deleting.name)}
          help={words.deleteHelp}
          action={words.deleteSubmit}
          onConfirm={async () => {
            await client.vaultCredentials.delete(deleting.id);
            sayToast({ text: resourceTexts.deleted(deleting.name) });
            await refresh();
          }}
        />
      )}
    </section>
  );
}

function TestButton({ vault, refused }: { vault: Vault; refused: string | false }) {
  const client = useClient();
  const { busy, run } = useAction();
  const test = async () => {
    const { success, ms, message } = await client.vaultCredentials.test(vault.id);
    if (success) sayToast({ text: words.works(vault.name, ms) });
    else sayToast({ text: words.fails(vault.name), help: message, bad: true });
  };
  return (
    <Button
      size="small"
      busy={busy}
      refused={refused}
      aria-label={words.testOf(vault.name)}
      onClick={() => void run(test)}
    >
      {words.test}
    </Button>
  );
}
