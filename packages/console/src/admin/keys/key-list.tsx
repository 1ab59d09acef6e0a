import type { ItemOf } from '@atrium/sdk';
import { KeyRound, MoreHorizontal } from 'lucide-react';
import { Suspense, useDeferredValue, useRef, useState } from 'react';
import { useClient, useMay, useSession, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { usePaged } from '../shared/paged.tsx';
import { useRoles } from '../shared/queries.ts';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useAddress, useRefresh } from '../shared/use-admin.ts';
import { keyEnd } from './key-end.ts';
import { LimitReach, seesEverybody, WideReach } from './key-reach.tsx';
import type { MadeKey } from './keys-page.tsx';

const ChangeKey = lazyPart(() => import('./change-key.tsx').then((file) => ({ default: file.ChangeKey })));
const RotateKey = lazyPart(() => import('./rotate-key.tsx').then((file) => ({ default: file.RotateKey })));
export type Key = ItemOf<'keys.listAll'>;
type Opened = { kind: 'change' | 'rotate' | 'revoke' | 'limit'; key: Key };

/** Keys of all workspaces for administrators of the organization, else of this one; those that end soonest first. */
function useKeys(search: string) {
  const client = useClient();
  const { id } = useWorkspace();
  const isOrganization = useMay()('org:admin');
  return usePaged(['keys', search], async (page) => {
    if (isOrganization) return client.keys.listAll({ page, size: 50, ...(search && { search }) });
    const keys = await client.keys.list(id);
    const items = keys
      .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
      .sort((one, other) => (one.expires_at ?? '9').localeCompare(other.expires_at ?? '9'));
    return { items, page: 1, pages: 1, total: items.length };
  });
}

export function KeyList({ onMade }: { onMade: (made: MadeKey) => void }) {
  const client = useClient();
  const [{ search = '' }, show] = useAddress();
  const { workspaces } = useSession();
  const roles = useRoles().data;
  const { list, more } = useKeys(useDeferredValue(search.trim()));
  const { refresh } = useRefresh('keys');
  const [opened, setOpened] = useState<Opened>();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  const close = () => setOpened(undefined);
  return (
    <Card
      title={words.title}
      help={words.help}
      actions={
        <TextInput
          ref={field}
          type="search"
          aria-label={words.find}
          placeholder={words.find}
          value={search}
          onChange={({ target }) => show({ search: target.value || undefined })}
          className="w-60!"
        />
      }
    >
      <Loaded query={list} rows={6}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState
              icon={<KeyRound size={20} aria-hidden />}
              {...(search ? { title: words.noneFound(search) } : words.none)}
            >
              {search && <Button onClick={() => show({ search: undefined })}>{t.ui.clearFilters}</Button>}
            </EmptyState>
          ) : (
            <Table
              label={words.title}
              rows={keys}
              keyOf={(key) => key.id}
              columns={[
                {
                  label: words.name,
                  isName: true,
                  cell: (key) => (
                    <Named name={key.name} below={<span className="font-mono">{key.value}</span>}>
                      {key.tenant_admin && <Chip tone="info">{words.system}</Chip>}
                    </Named>
                  ),
                },
                {
                  label: words.workspace,
                  cell: ({ group_id }) => workspaces.find(({ id }) => id === group_id)?.name ?? adminTexts.none,
                },
                { label: words.owner, cell: ({ owner }) => owner.name },
                {
                  label: words.rights,
                  cell: (key) => (
                    <Rights
                      keyItem={key}
                      role={roles?.find(({ id }) => id === key.role_id)?.name}
                      onLimit={() => setOpened({ kind: 'limit', key })}
                    />
                  ),
                },
                {
                  label: words.lastUsed,
                  cell: ({ last_used_at: at }) => (at ? sayTime(at) : words.notYet),
                },
                { label: words.ends, cell: (key) => <End at={key.expires_at} /> },
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (key) => (
                    <Menu
                      trigger={<IconButton label={adminTexts.more(key.name)} icon={<MoreHorizontal size={16} />} />}
                      groups={[
                        [
                          {
                            ...{ label: words.change, refused: !key.may?.edit && words.mayNot },
                            onSelect: () => setOpened({ kind: 'change', key }),
                          },
                          {
                            ...{ label: words.rotate, refused: !key.may?.rotate && words.mayNot },
                            onSelect: () => setOpened({ kind: 'rotate', key }),
                          },
                        ],
                        [
                          {
                            ...{ label: words.revoke, danger: true, refused: !key.may?.delete && words.mayNot },
                            onSelect: () => setOpened({ kind: 'revoke', key }),
                          },
                        ],
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {more}
      <Suspense>
        {opened?.kind === 'change' && <ChangeKey keyItem={opened.key} onClose={close} />}
        {opened?.kind === 'rotate' && (
          <RotateKey
            keyItem={opened.key}
            onClose={close}
            onMade={(made) => {
              close();
              onMade(made);
            }}
          />
        )}
      </Suspense>
      {opened?.kind === 'limit' && <LimitReach keyItem={opened.key} onClose={close} />}
      {opened?.kind === 'revoke' && (
        <Confirm
          open
          onClose={close}
          title={words.revokeTitle(opened.key.name)}
          help={words.revokeHelp}
          action={words.revokeAction}
          onConfirm={async () => {
            await client.keys.revoke(opened.key.group_id, opened.key.id);
            await refresh();
            sayToast({ text: words.revoked });
          }}
        />
      )}
    </Card>
  );
}

function Rights({ keyItem, role, onLimit }: { keyItem: Key; role: string | undefined; onLimit: () => void }) {
  const isCut = !keyItem.tenant_admin && keyItem.effective_permissions.length < keyItem.permissions.length;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Chip>{role ?? words.count(keyItem.permissions.length)}</Chip>
      {isCut && <Chip tone="warn">{words.cut}</Chip>}
      {seesEverybody(keyItem) && <WideReach keyItem={keyItem} onLimit={onLimit} />}
    </span>
  );
}

function End({ at }: { at: string | null }) {
  const { state, days } = keyEnd(at);
  if (at === null || state === 'never') return <span className="text-text-3">{words.never}</span>;
  if (state === 'over') return <Chip tone="bad">{words.over}</Chip>;
  return (
    <time dateTime={at} title={sayExactTime(at)} className={state === 'soon' ? 'font-medium text-warn' : undefined}>
      {words.inDays(days)}
    </time>
  );
}
