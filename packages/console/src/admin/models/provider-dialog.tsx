import type { BodyOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { FieldRow } from '../../forms/field-row.tsx';
import { readAt } from '../../forms/field-values.ts';
import { fieldsOf } from '../../forms/fields-of.ts';
import type { Form, Values } from '../../forms/form-types.ts';
import { RecordFields } from '../../forms/record-fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { modelTexts as words } from '../../text/admin/models.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { PriceFields } from './price-fields.tsx';
import type { Provider, ProviderTest } from './provider-list.tsx';
import { TestReport } from './test-report.tsx';

interface ProviderDialogProps {
  provider?: Provider;
  onClose: () => void;
}

/** A provider of models, from the fields that the server describes. */
export function ProviderDialog(props: ProviderDialogProps) {
  const client = useClient();
  const [kind, setKind] = useState<string>(props.provider?.provider ?? 'openai-compatible');
  const form = useQuery({
    queryKey: ['fields', 'providers'],
    queryFn: () => client.fields.get('providers'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (form.data) return <ProviderForm {...props} form={form.data} kind={kind} onKind={setKind} />;
  return (
    <Dialog open onClose={props.onClose} title={words.add}>
      <Loaded query={form}>{() => null}</Loaded>
    </Dialog>
  );
}

/** Fields that a test of the addresses does not depend on. */
const saidByNoTest = ['name', 'models', 'prices', 'enabled'];

interface ProviderFormProps extends ProviderDialogProps {
  form: Form;
  kind: string;
  onKind: (kind: string) => void;
}

function ProviderForm({ provider, onClose, form: description, kind, onKind }: ProviderFormProps) {
  const client = useClient();
  const { refresh } = useRefresh('providers', 'models', 'presets', 'defaults');
  const [tested, setTested] = useState<ProviderTest>();
  const [testing, setTesting] = useState(false);
  const fields = fieldsOf(description, kind, ['provider']);
  const start: Values = provider ? (provider as unknown as Values) : {};
  const record = useRecordForm(start, async (body) => {
    if (provider)
      await client.providers.update(provider.id, body as BodyOf<'providers.update'>, {
        ifMatch: provider.etag ?? undefined,
      });
    else await client.providers.create({ ...body, provider: kind } as BodyOf<'providers.create'>);
    await refresh();
    onClose();
  });
  const { values, faults, failure, busy, form, attempt, submit, isChanged } = record;
  // A test says nothing of an address that was changed after it.
  const change: typeof record.change = (field, value) => {
    if (!saidByNoTest.includes(field.path[0] ?? '')) setTested(undefined);
    record.change(field, value);
  };
  const test = async () => {
    setTesting(true);
    setTested(undefined);
    await attempt(fields, true, async (body) => {
      setTested(await client.providers.try({ ...body, provider: kind } as BodyOf<'providers.try'>));
    });
    setTesting(false);
  };
  const priceField = fields.find(({ key }) => key === 'prices');
  const instead = {
    prices: priceField && (
      <FieldRow field={priceField} value={undefined} error={faults.get('prices')?.text} onChange={change}>
        <PriceFields
          value={readAt(values, priceField.path)}
          models={(values['models'] as string[] | undefined) ?? []}
          onChange={(prices) => change(priceField, prices)}
        />
      </FieldRow>
    ),
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      changed={isChanged}
      title={provider ? words.editTitle(provider.name) : words.add}
      foot={
        <>
          {tested && <TestReport name={kind} test={tested} className="mb-1 w-full rounded-3 border" />}
          {!provider && (
            <Button className="mr-auto" busy={testing} onClick={() => void test()}>
              {words.test}
            </Button>
          )}
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit(fields, !provider)}>
            {provider ? words.save : words.addSubmit}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(fields, !provider, event)} className="flex flex-col gap-5">
        {!provider && (
          <Field label={words.kind}>
            <Select
              data-autofocus
              value={kind}
              options={(description.variants ?? []).map(({ variant, label }) => ({ value: variant, label }))}
              onChange={(next) => {
                setTested(undefined);
                onKind(next);
              }}
            />
          </Field>
        )}
        <RecordFields fields={fields} values={values} faults={faults} onChange={change} instead={instead} />
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
