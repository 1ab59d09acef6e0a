import { useClient } from '../../api/session.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { Key } from './key-list.tsx';

/** Whether the key reads the records of the whole workspace. Keys of a person see what that person sees. */
export const seesEverybody = ({ reach, owner }: Key): boolean => reach === 'workspace' && owner.kind !== 'person';

/** Marks a key from before records had owners, and offers to limit it. */
export function WideReach({ keyItem, onLimit }: { keyItem: Key; onLimit: () => void }) {
  return (
    <>
      <span title={words.wideHelp}>
        <Chip tone="warn">{words.wide}</Chip>
      </span>
      <Button
        size="small"
        aria-label={words.limitReachFor(keyItem.name)}
        refused={!keyItem.may?.edit && words.mayNot}
        onClick={onLimit}
      >
        {words.limitReach}
      </Button>
    </>
  );
}

/** Asks before a key is limited to its own records, which can't be undone. */
export function LimitReach({ keyItem, onClose }: { keyItem: Key; onClose: () => void }) {
  const client = useClient();
  const { refresh } = useRefresh('keys');
  return (
    <Confirm
      open
      look="primary"
      onClose={onClose}
      title={words.limitReachTitle(keyItem.name)}
      help={words.limitReachHelp}
      action={words.limitReachAction}
      onConfirm={async () => {
        await client.keys.update(keyItem.group_id, keyItem.id, { reach: 'own' }, { ifMatch: keyItem.etag });
        await refresh();
        sayToast({ text: words.limitedReach });
      }}
    />
  );
}
