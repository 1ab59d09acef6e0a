import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { accountKeyTexts, keyTexts as words } from '../../text/admin/keys.ts';
import { curlOfKey } from '../../triggers/curl-line.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Loading } from '../../ui/states.tsx';
import { SectionPage } from '../shared/section-page.tsx';
import { ShownOnce } from '../shared/shown-once.tsx';
import { useAddress, useRefusals } from '../shared/use-admin.ts';
import { KeyList } from './key-list.tsx';

const ServiceAccounts = lazyPart(() =>
  import('./service-accounts.tsx').then((file) => ({ default: file.ServiceAccounts })),
);
const AccountDialog = lazyPart(() => import('./account-dialog.tsx').then((file) => ({ default: file.AccountDialog })));
const MakeKey = lazyPart(() => import('./make-key.tsx').then((file) => ({ default: file.MakeKey })));

/** A value that the server has just made. */
export interface MadeKey {
  name: string;
  value: string;
}

/** The keys of programs and their owners. A role in the address opens the dialog with it. */
export function KeysPage() {
  const [{ tab, role: asked }, show] = useAddress();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<MadeKey>();
  const { ofWorkspace } = useRefusals();
  const isAccounts = tab === 'accounts';
  const close = () => {
    setMaking(false);
    if (asked) show({ role: undefined });
  };
  return (
    <SectionPage
      section="keys"
      guide="keys-and-roles"
      actions={
        <Button
          look="primary"
          icon={<Plus size={15} aria-hidden />}
          refused={ofWorkspace}
          onClick={() => setMaking(true)}
        >
          {isAccounts ? accountKeyTexts.make : words.make}
        </Button>
      }
    >
      <Segmented
        label={words.tab}
        value={isAccounts ? 'accounts' : 'keys'}
        options={(['keys', 'accounts'] as const).map((value) => ({ value, label: words.tabs[value] }))}
        onChange={(value) => show({ tab: value === 'keys' ? undefined : value, search: undefined })}
      />
      <Suspense fallback={<Loading />}>{isAccounts ? <ServiceAccounts /> : <KeyList onMade={setMade} />}</Suspense>
      <Suspense>
        {making && isAccounts && <AccountDialog onClose={close} />}
        {((making && !isAccounts) || asked) && (
          <MakeKey
            role={asked}
            onClose={close}
            onMade={(key) => {
              close();
              setMade(key);
            }}
          />
        )}
      </Suspense>
      {made && (
        <ShownOnce
          title={words.made(made.name)}
          label={words.value}
          value={made.value}
          command={{ label: words.curl, text: curlOfKey(location.origin, made.value) }}
          onClose={() => setMade(undefined)}
        />
      )}
    </SectionPage>
  );
}
