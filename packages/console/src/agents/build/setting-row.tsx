import { Suspense, useCallback, useState } from 'react';
import { sayValue } from '../../forms/field-info.tsx';
import { FieldRow } from '../../forms/field-row.tsx';
import { placeOf, readAt, sameValue } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { formTexts } from '../../text/forms.ts';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { isLockName } from './locks.ts';

const BaseTools = lazyPart(() => import('./base-tools.tsx').then(({ BaseTools }) => ({ default: BaseTools })));
const ActionsControl = lazyPart(() =>
  import('../actions/actions-control.tsx').then(({ ActionsControl }) => ({ default: ActionsControl })),
);
const ServersControl = lazyPart(() =>
  import('../servers/servers-control.tsx').then(({ ServersControl }) => ({ default: ServersControl })),
);
const LockDialog = lazyPart(() => import('./lock-dialogs.tsx').then(({ LockDialog }) => ({ default: LockDialog })));
const UnlockDialog = lazyPart(() =>
  import('./lock-dialogs.tsx').then(({ UnlockDialog }) => ({ default: UnlockDialog })),
);
const AskDialog = lazyPart(() => import('./lock-dialogs.tsx').then(({ AskDialog }) => ({ default: AskDialog })));

/** A setting of the agent with its draft value. Locks ask before they change. */
export function SettingRow({ field, idle }: { field: FormField; idle: boolean }) {
  const { store, live, mayEdit } = useEditor();
  const { values, published, faults, agent } = useDraft();
  const [dialog, setDialog] = useState<'lock' | 'unlock'>();
  const value = readAt(values, field.path);
  const lock = agent.locks.find((each) => each.lock === field.lock);
  const onChange = useCallback(
    (changed: FormField, next: unknown) => {
      if (isLockName(changed.key)) setDialog(next ? 'lock' : 'unlock');
      else store.change(changed, next);
    },
    [store],
  );
  const differs = field.key !== 'base_tools' && !sameValue(field, readAt(published, field.path), value);
  return (
    <>
      <FieldRow
        {...{ field, value, onChange, idle }}
        differsFrom={differs ? live : undefined}
        onTakeBack={isLockName(field.key) ? undefined : store.takeBack}
        error={faults.get(placeOf(field))}
        locked={lock && formTexts.locked}
        disabled={!mayEdit}
      >
        {field.key === 'base_tools' ? (
          <Suspense>
            <BaseTools />
          </Suspense>
        ) : field.key === 'actions' ? (
          <Suspense>
            <ActionsControl field={field} value={value} disabled={!mayEdit || lock !== undefined} />
          </Suspense>
        ) : field.key === 'mcp_servers' ? (
          <Suspense>
            <ServersControl field={field} value={value} disabled={!mayEdit || lock !== undefined} />
          </Suspense>
        ) : field.control === 'none' ? (
          <p className="rounded-2 bg-sunken px-2.5 py-1.5 font-mono text-code break-words text-text-2">
            {sayValue(field, value)}
          </p>
        ) : undefined}
      </FieldRow>
      <Suspense>
        {dialog === 'lock' && <LockDialog field={field} onClose={() => setDialog(undefined)} />}
        {dialog === 'unlock' && isLockName(field.key) && agent.may?.['unlock'] && (
          <UnlockDialog lock={field.key} onClose={() => setDialog(undefined)} />
        )}
        {dialog === 'unlock' && isLockName(field.key) && !agent.may?.['unlock'] && (
          <AskDialog lock={field.key} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </>
  );
}
