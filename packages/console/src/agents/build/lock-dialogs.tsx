import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import type { FormField } from '../../forms/form-types.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { agentQuery } from '../queries.ts';
import { type LockName, sayLock } from './locks.ts';

const words = agentTexts.locks;

function Reason(props: { label: string; value: string; onChange: (value: string) => void; placeholder?: string }) {
  return (
    <Field label={props.label}>
      <TextArea
        data-autofocus
        value={props.value}
        maxLength={2000}
        placeholder={props.placeholder}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </Field>
  );
}

/** Asks the administrators to turn a lock off. */
export function AskDialog({ lock, onClose }: { lock: LockName; onClose: () => void }) {
  const client = useClient();
  const { agent } = useDraft();
  const [reason, setReason] = useState('');
  const ask = async () => {
    await client.unlockRequests.create(agent.id, { lock, reason });
    sayToast({ text: words.askDone });
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.askTitle(sayLock(lock))}
      help={words.askHelp}
      action={words.askSubmit}
      keep={t.ui.cancel}
      look="primary"
      onConfirm={ask}
    >
      <Reason label={words.reason} value={reason} onChange={setReason} placeholder={words.reasonPlaceholder} />
    </Confirm>
  );
}

/** Turns a lock off in what is published and in the draft: an answer to a request, made here if none was. */
export function UnlockDialog({ lock, onClose }: { lock: LockName; onClose: () => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const { store } = useEditor();
  const { agent } = useDraft();
  const unlock = async () => {
    await store.flush();
    const { items } = await client.unlockRequests.list(agent.id, { status: 'pending' });
    const request =
      items.find((item) => item.lock === lock) ??
      (await client.unlockRequests.create(agent.id, { lock, reason: words.unlockReason }));
    await client.unlockRequests.decide(agent.id, request.id, { decision: 'unlock' });
    store.adopt(await queries.fetchQuery({ ...agentQuery(client, w, agent.id), staleTime: 0 }));
    await queries.invalidateQueries({ queryKey: [w, 'agents'] });
    sayToast({ text: words.unlockDone(sayLock(lock)) });
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.unlockTitle(sayLock(lock))}
      help={words.unlockHelp}
      action={words.unlock}
      keep={words.unlockKeep}
      look="primary"
      onConfirm={unlock}
    />
  );
}

/** Turns a lock on, with the reason that others will read. */
export function LockDialog({ field, onClose }: { field: FormField; onClose: () => void }) {
  const { store } = useEditor();
  const [reason, setReason] = useState('');
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.lockTitle(field.label)}
      help={words.lockHelp}
      action={words.lockSubmit}
      keep={t.ui.cancel}
      look="primary"
      onConfirm={() => store.lock(field, reason.trim())}
    >
      <Reason label={words.lockReason} value={reason} onChange={setReason} />
    </Confirm>
  );
}
