import type { ItemOf } from '@atrium/sdk';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ShieldUser, Users, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useSession, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { ConversationRecord } from '../conversation/use-conversation.ts';

type Grantee = ItemOf<'audience.list'>;
type Share = ItemOf<'conversations.listShares'>;
type Access = Share['access'];

const words = t.share.colleagues;
const accesses = Object.entries(words.access).map(([value, label]) => ({ value, label }));
const bodyOf = ({ kind, id }: Pick<Grantee, 'kind' | 'id'>) =>
  kind === 'person' ? { person_id: id } : kind === 'role' ? { role_id: id } : { user_group_id: id };

interface ColleaguesProps {
  conversation: ConversationRecord;
  shares: UseQueryResult<{ items: Share[] }>;
  mayShare: boolean;
  /** The user has picked a person, group or role and not shared the chat with it yet. */
  onPicking: (isPicking: boolean) => void;
}

/** People, groups and roles of the workspace that a chat is shared with. */
export function Colleagues({ conversation, shares, mayShare, onPicking }: ColleaguesProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { person } = useSession();
  const { id } = conversation;
  const refresh = () => queryClient.invalidateQueries({ queryKey: [w, 'conversations', id, 'shares'] });
  const act = async (work: () => Promise<unknown>, done?: string) => {
    try {
      await work();
      if (done) sayToast({ text: done });
    } catch (error) {
      sayFailure(error);
    } finally {
      await refresh();
    }
  };
  const items = shares.data?.items ?? [];
  const isOwn = conversation.created_by === person.id;
  return (
    <section aria-label={words.title} className="flex flex-col gap-3">
      {mayShare && (
        <PickColleagues
          taken={[person.id, ...items.map(({ grantee_id }) => grantee_id)]}
          onPicking={onPicking}
          onShare={async (grantees, access) => {
            const names = grantees.map(({ name }) => name);
            await act(async () => {
              for (const grantee of grantees) await client.conversations.shareWith(id, { ...bodyOf(grantee), access });
            }, words.shared(names));
          }}
        />
      )}
      {shares.isError && <ErrorState error={shares.error} onRetry={() => void shares.refetch()} className="m-0" />}
      <ul aria-label={words.whoHasIt} className="flex flex-col">
        {isOwn && (
          <li className="flex min-h-11 items-center gap-3 py-1">
            <Avatar kind="person" name={person.name} size={28} />
            <span className="min-w-0 flex-1 truncate text-label font-medium">{person.name}</span>
            <span className="text-dense text-text-3">{words.owner}</span>
          </li>
        )}
        {items.map((share) => {
          const name = share.grantee_name ?? words.gone;
          return (
            <li key={share.id} className="flex min-h-11 items-center gap-3 py-1">
              <GranteePicture kind={share.kind} name={name} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-label font-medium">{name}</span>
                {share.kind !== 'person' && (
                  <span className="block text-caption text-text-3">{words.kinds[share.kind]}</span>
                )}
              </span>
              {mayShare && share.grantee_name !== null ? (
                <Select
                  aria-label={words.accessOf(name)}
                  className="w-34 flex-none"
                  value={share.access}
                  options={accesses}
                  onChange={(access) =>
                    void act(() =>
                      client.conversations.shareWith(id, {
                        ...bodyOf({ kind: share.kind, id: share.grantee_id }),
                        access: access as Access,
                      }),
                    )
                  }
                />
              ) : (
                <span className="text-dense text-text-3">{words.access[share.access]}</span>
              )}
              {(mayShare || share.grantee_id === person.id) && (
                <IconButton
                  label={words.remove(name)}
                  icon={<X size={15} />}
                  onClick={() => void act(() => client.conversations.unshareWith(id, share.id), words.removed(name))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface PickProps {
  /** Who has it already. */
  taken: readonly string[];
  onPicking: (isPicking: boolean) => void;
  onShare: (grantees: readonly Grantee[], access: Access) => Promise<void>;
}

function PickColleagues({ taken, onPicking, onShare }: PickProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<readonly Grantee[]>([]);
  const [access, setAccess] = useState<Access>('read');
  const [busy, setBusy] = useState(false);
  const search = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: [w, 'audience', search],
    queryFn: () => client.audience.list({ size: 20, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const out = new Set([...taken, ...picked.map(({ id }) => id)]);
  const found = (data?.items ?? []).filter(({ id }) => !out.has(id));
  const pick = (next: readonly Grantee[]) => {
    setPicked(next);
    onPicking(next.length > 0);
  };
  const share = async () => {
    setBusy(true);
    await onShare(picked, access);
    setBusy(false);
    pick([]);
  };
  return (
    <div className="flex flex-col gap-2">
      <Combobox
        label={words.find}
        placeholder={words.find}
        query={typed}
        onQuery={setTyped}
        options={found.map(({ id, name, kind }) => ({
          ...{ value: id, label: name },
          ...(kind !== 'person' && { help: words.kinds[kind] }),
        }))}
        onChoose={(id) => {
          const grantee = found.find((one) => one.id === id);
          if (grantee) pick([...picked, grantee]);
        }}
      />
      {picked.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <ul aria-label={words.picked} className="flex min-w-0 flex-1 flex-wrap gap-1.5">
            {picked.map((grantee) => (
              <li key={grantee.id} className="max-w-full">
                <Chip
                  tone="accent"
                  onRemove={() => pick(picked.filter((one) => one !== grantee))}
                  removeLabel={words.remove(grantee.name)}
                >
                  {grantee.name}
                </Chip>
              </li>
            ))}
          </ul>
          <Select
            aria-label={words.mayDo}
            className="w-34 flex-none"
            value={access}
            options={accesses}
            onChange={(next) => setAccess(next as Access)}
          />
          <Button look="primary" busy={busy} onClick={() => void share()}>
            {words.share}
          </Button>
        </div>
      )}
    </div>
  );
}

function GranteePicture({ kind, name }: { kind: Grantee['kind']; name: string }) {
  if (kind === 'person') return <Avatar kind="person" name={name} size={28} />;
  const Icon = kind === 'role' ? ShieldUser : Users;
  return (
    <span aria-hidden className="grid size-7 flex-none place-items-center rounded-2 bg-sunken text-text-2">
      <Icon size={15} />
    </span>
  );
}
