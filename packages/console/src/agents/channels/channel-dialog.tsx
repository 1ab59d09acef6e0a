import type { BodyOf } from '@atrium/sdk';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { fieldsOf } from '../../forms/fields-of.ts';
import type { Form, Values } from '../../forms/form-types.ts';
import { RecordFields } from '../../forms/record-fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useDraft } from '../editor/editor-context.ts';
import { type Channel, type Deployment, useRefreshDeployments } from './deployments.ts';

const words = agentTabTexts.channels;

interface ChannelDialogProps {
  form: Form;
  deployment: Deployment | undefined;
  onClose: () => void;
  /** `made`: secrets that the server made, by field, shown once. */
  onSaved: (id: string, made: Readonly<Record<string, string>> | undefined) => void;
}

/** A channel by the fields that the server has for its kind. Secrets are written and never read. */
export function ChannelDialog(props: ChannelDialogProps) {
  const [channel, setChannel] = useState<Channel>(props.deployment?.channel ?? 'web');
  return <ChannelForm key={channel} {...props} channel={channel} onChannel={setChannel} />;
}

interface ChannelFormProps extends ChannelDialogProps {
  channel: Channel;
  onChannel: (channel: Channel) => void;
}

function ChannelForm({ form: description, deployment, channel, onClose, onSaved, onChannel }: ChannelFormProps) {
  const client = useClient();
  const { agent } = useDraft();
  const refresh = useRefreshDeployments();
  const fields = fieldsOf(description, channel, ['channel', 'enabled']);
  const save = async (body: Values) => {
    if (deployment) {
      const { id, etag } = deployment;
      await client.deployments.update(agent.id, id, body as BodyOf<'deployments.update'>, { ifMatch: etag });
      await refresh();
      return onSaved(id, undefined);
    }
    const made = await client.deployments.create(agent.id, { ...body, channel } as BodyOf<'deployments.create'>);
    await refresh();
    onSaved(made.id, made.made_secrets);
  };
  const { values, faults, failure, busy, form, change, submit, isChanged } = useRecordForm(deployment ?? {}, save);
  const variants = description.variants.map(({ variant, label }) => ({ value: variant, label }));
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      changed={isChanged}
      title={deployment ? words.editTitle(deployment.name) : words.add}
      help={words.rights}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit(fields, !deployment)}>
            {deployment ? t.ui.save : words.create}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(fields, !deployment, event)} className="flex flex-col gap-5">
        {!deployment && (
          <Field
            label={words.kind}
            help={description.variants.find(({ variant }) => variant === channel)?.help}
            className="max-w-80"
          >
            <Select value={channel} options={variants} onChange={(next) => onChannel(next as Channel)} />
          </Field>
        )}
        <RecordFields fields={fields} values={values} faults={faults} onChange={change} />
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
