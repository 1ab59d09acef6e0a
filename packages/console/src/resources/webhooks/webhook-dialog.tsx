import { AtriumError, type BodyOf } from '@atrium/sdk';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { SecretInput } from '../common/secret-input.tsx';
import { EventsField } from './events-field.tsx';
import { sayEvents, type Webhook } from './webhooks.ts';

const words = connectionTexts.webhooks;

interface WebhookDialogProps {
  webhook: Webhook | undefined;
  onClose: () => void;
  /** `secret`: made by the server, shown once. */
  onSaved: (saved: Webhook, secret: string | undefined) => void;
}

export function WebhookDialog({ webhook, onClose, onSaved }: WebhookDialogProps) {
  const client = useClient();
  const refresh = useRefresh('webhooks');
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<string[]>(webhook?.events ?? ['run.failed']);
  const [secret, setSecret] = useState('');
  const [theirs, setTheirs] = useState<Webhook>();
  const save = async () => {
    const body = {
      ...(name.trim() && { name: name.trim() }),
      ...{ url: url.trim(), events: events as BodyOf<'webhooks.create'>['events'] },
      ...(secret && { secret }),
    };
    try {
      const saved = webhook
        ? await client.webhooks.update(webhook.id, body, { ifMatch: (theirs ?? webhook).etag })
        : await client.webhooks.create(body);
      await refresh();
      if (webhook) sayToast({ text: resourceTexts.saved(saved.name) });
      onSaved(saved, webhook || secret ? undefined : saved.secret);
    } catch (error) {
      if (!(webhook && error instanceof AtriumError && error.code === 'etag_mismatch')) throw error;
      setTheirs(await client.webhooks.get(webhook.id));
    }
  };
  const check = () => ({ events: events.length === 0 && words.noEvents });
  const { busy, failure, faultOf, submit, form } = useSubmit(save, { check });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={webhook ? resourceTexts.editTitle(webhook.name) : words.add}
      help={words.addHelp}
      foot={
        <>
          <Button onClick={theirs ? () => void refresh().then(onClose) : onClose}>
            {theirs ? resourceTexts.conflict.takeTheirs : t.ui.cancel}
          </Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {theirs ? resourceTexts.conflict.keepMine : webhook ? t.ui.save : words.create}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        {theirs && (
          <Banner tone="warn" title={resourceTexts.conflict.title}>
            {theirs.name}: {theirs.url}; {sayEvents(theirs.events)}
          </Banner>
        )}
        <Field label={words.address} help={webhook && words.addressHelp} error={faultOf('url')}>
          <TextInput
            data-autofocus
            type="url"
            required
            value={url}
            placeholder="https://example.com/atrium"
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Field label={words.name} help={webhook ? undefined : words.nameHelp} error={faultOf('name')}>
          <TextInput value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </Field>
        <EventsField events={events} error={faultOf('events')} onChange={setEvents} />
        {webhook && (
          <Field label={words.newSecret} help={words.newSecretHelp} error={faultOf('secret')}>
            <SecretInput onChange={setSecret} />
          </Field>
        )}
        <FailureNote failure={failure} />
        <button type="submit" hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
