import type { BodyOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.ts';
import { readAt } from '../forms/field-values.ts';
import { fieldsOf } from '../forms/fields-of.ts';
import { formQuery } from '../forms/form-query.ts';
import type { Form, Values } from '../forms/form-types.ts';
import { RecordFields } from '../forms/record-fields.tsx';
import { useRecordForm } from '../forms/use-record-form.ts';
import { currentTimeZone } from '../lib/time.ts';
import { agentTabTexts } from '../text/agent-tabs.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';
import { missingIn, RunValues, useRunInputs } from './run-values.tsx';
import { ScheduleField } from './schedule-field.tsx';
import { type Trigger, type TriggerOwner, useRefreshTriggers } from './triggers.ts';

const words = agentTabTexts.triggers;
const types = ['schedule', 'event', 'webhook'] as const;
type Type = (typeof types)[number];
/** What a new trigger of a type begins with. A webhook asks its senders for a secret. */
const begins = (type: Type): Values =>
  type === 'schedule'
    ? { type, cron: '0 9 * * 1', timezone: currentTimeZone() }
    : type === 'webhook'
      ? { type, auth: 'secret' }
      : { type };

interface TriggerDialogProps {
  owner: TriggerOwner;
  trigger: Trigger | undefined;
  onClose: () => void;
  /** `made`: a secret that the server made, shown once. */
  onSaved: (saved: Trigger, made: string | undefined) => void;
}

export function TriggerDialog(props: TriggerDialogProps) {
  const [type, setType] = useState<Type>((props.trigger?.definition.type as Type | undefined) ?? 'schedule');
  const query = useQuery(formQuery('triggers'));
  if (query.data) return <TriggerForm key={type} {...props} form={query.data} type={type} onType={setType} />;
  return (
    <Dialog open onClose={props.onClose} title={words.add}>
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </Dialog>
  );
}

interface TriggerFormProps extends TriggerDialogProps {
  form: Form;
  type: Type;
  onType: (type: Type) => void;
}

function TriggerForm({ owner, trigger, onClose, onSaved, form: description, type, onType }: TriggerFormProps) {
  const client = useClient();
  const refresh = useRefreshTriggers();
  // A workflow has inputs and no message.
  const ofOther = owner.kind === 'workflow' ? ['message'] : [];
  const fields = fieldsOf(description, type, [
    ...['type', 'enabled', 'workflow_version_id', 'assistant_version_id'],
    ...ofOther,
  ]);
  const inputs = useRunInputs(owner);
  const [checked, setChecked] = useState(false);
  const inputField = fields.find(({ key }) => key === 'input');
  const save = async (body: Values) => {
    const definition = { ...(trigger ? {} : begins(type)), ...(body['definition'] as Values | undefined) };
    const whole = { ...body, definition };
    const saved = trigger
      ? await client.triggers.update(trigger.id, whole as BodyOf<'triggers.update'>, { ifMatch: trigger.etag })
      : owner.kind === 'agent'
        ? await client.triggers.createForAgent(owner.id, whole as BodyOf<'triggers.createForAgent'>)
        : await client.triggers.createForWorkflow(owner.id, whole as BodyOf<'triggers.createForWorkflow'>);
    await refresh();
    const secret = saved.definition['secret'];
    const isMade = typeof secret === 'string' && !/^[*•]+$/.test(secret) && !('secret' in definition);
    onSaved(saved, isMade ? secret : undefined);
  };
  const start: Values = trigger ? { name: trigger.name, definition: trigger.definition } : { definition: begins(type) };
  const record = useRecordForm(start, save);
  const { values, faults, failure, busy, form, change, submit, isChanged } = record;
  const given = inputField && readAt(values, inputField.path);
  const ofMessages = type === 'webhook';
  /** A new trigger is not made to fail: what its workflow needs is asked for first. One from before can always be changed. */
  const submitChecked = (event?: FormEvent) => {
    event?.preventDefault();
    setChecked(true);
    if (trigger || ofMessages || missingIn(inputs, given).length === 0) return submit(fields, !trigger);
    form.current?.querySelector<HTMLElement>('fieldset input')?.focus();
  };
  const runValues = inputField && inputs.length > 0 && (
    <RunValues {...{ inputs, ofMessages, checked }} value={given} onChange={(next) => change(inputField, next)} />
  );
  const cronField = fields.find(({ key }) => key === 'cron');
  const zone = String(readAt(values, ['definition', 'timezone']) ?? 'UTC');
  const schedule = cronField && (
    <ScheduleField
      cron={String(readAt(values, cronField.path) ?? '')}
      zone={zone}
      error={faults.get('definition.cron')?.text}
      onChange={(cron) => change(cronField, cron)}
    />
  );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      changed={isChanged}
      title={trigger ? words.editTitle(trigger.name) : words.add}
      help={words.rights}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submitChecked()}>
            {trigger ? t.ui.save : words.create}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submitChecked(event)} className="flex flex-col gap-5">
        {!trigger && (
          <Field label={words.startedBy[owner.kind]} group>
            <Segmented
              label={words.startedBy[owner.kind]}
              value={type}
              options={types.map((value) => ({ value, label: words.types[value] }))}
              onChange={onType}
            />
          </Field>
        )}
        {runValues}
        <RecordFields
          fields={runValues ? fields.filter((field) => field !== inputField) : fields}
          values={values}
          faults={faults}
          onChange={change}
          instead={schedule ? { cron: schedule } : {}}
        />
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
