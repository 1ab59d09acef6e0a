import { AtriumError, type BodyOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { fieldsOf } from '../../forms/fields-of.ts';
import type { Form, FormField, Values } from '../../forms/form-types.ts';
import { RecordFields } from '../../forms/record-fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh, variableFormQuery } from '../common/queries.ts';
import { Uses } from '../common/uses.tsx';
import { ValueField } from './value-field.tsx';
import type { Variable } from './variables.ts';

const words = resourceTexts.variables;

interface VariableDialogProps {
  variable: Variable | undefined;
  onClose: () => void;
}

export function VariableDialog(props: VariableDialogProps) {
  const query = useQuery(variableFormQuery);
  if (query.data) return <VariableForm {...props} description={query.data} />;
  return (
    <Dialog open onClose={props.onClose} title={words.add}>
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </Dialog>
  );
}

/** The fields whose values differ between two states of a variable; the value of a secret is in neither. */
const differing = (form: Form, one: Variable, other: Variable) =>
  form.fields
    .filter(({ key }) => JSON.stringify(one[key as keyof Variable]) !== JSON.stringify(other[key as keyof Variable]))
    .map(({ label }) => label);

function VariableForm({ variable, onClose, description }: VariableDialogProps & { description: Form }) {
  const client = useClient();
  const mayEdit = useMay()('variables_edit');
  const refresh = useRefresh('variables');
  const [theirs, setTheirs] = useState<Variable>();
  const save = async (body: Values) => {
    try {
      const saved = variable
        ? await client.variables.update(variable.id, body as BodyOf<'variables.update'>, {
            ifMatch: (theirs ?? variable).etag,
          })
        : await client.variables.create(body as BodyOf<'variables.create'>);
      sayToast({ text: resourceTexts.saved(saved.name) });
    } catch (error) {
      if (!(variable && error instanceof AtriumError && error.code === 'etag_mismatch')) throw error;
      setTheirs(await client.variables.get(variable.id));
      return;
    }
    await refresh();
    onClose();
  };
  const start: Values = variable ?? { type: 'string', source: 'inline', is_secret: false, allowed_hosts: [] };
  const { values, faults, failure, busy, form, change: set, submit, isChanged } = useRecordForm(start, save);
  const change = (field: FormField, value: unknown) => {
    set(field, value);
    const isSecret = description.fields.find(({ key }) => key === 'is_secret');
    // A value from a vault or the environment is a secret unless the person switches that off.
    if (field.key === 'source' && isSecret && !variable) set(isSecret, value !== 'inline');
  };
  const source = String(values['source'] ?? 'inline');
  const fields = fieldsOf(description, source);
  const valueField = fields.find(({ key }) => key === 'inline_value');
  const hosts = values['allowed_hosts'];
  const isUnbound = values['is_secret'] === true && !(Array.isArray(hosts) && hosts.length > 0);
  const send = () => void submit(fields, !variable);
  const conflict = theirs && variable ? differing(description, variable, theirs) : [];
  return (
    <Dialog
      open
      onClose={onClose}
      changed={isChanged}
      title={variable ? resourceTexts.editTitle(variable.name) : words.add}
      help={words.help}
      foot={
        <>
          <Button onClick={theirs ? () => void refresh().then(onClose) : onClose}>
            {theirs ? resourceTexts.conflict.takeTheirs : t.ui.cancel}
          </Button>
          <Button look="primary" busy={busy} refused={!mayEdit && resourceTexts.needs('variables_edit')} onClick={send}>
            {theirs ? resourceTexts.conflict.keepMine : variable ? t.ui.save : words.create}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayEdit) send();
        }}
        className="flex flex-col gap-5"
      >
        {theirs && (
          <Banner tone="warn" title={resourceTexts.conflict.title}>
            {conflict.length > 0 ? resourceTexts.conflict.differs(conflict.join(', ')) : resourceTexts.conflict.same}
          </Banner>
        )}
        <RecordFields
          fields={fields}
          values={values}
          faults={faults}
          onChange={change}
          instead={
            valueField
              ? {
                  inline_value: (
                    <ValueField
                      field={valueField}
                      values={values}
                      isStored={variable?.is_secret === true && variable.source === 'inline'}
                      error={faults.get('inline_value')?.text}
                      onChange={(value) => change(valueField, value)}
                    />
                  ),
                }
              : {}
          }
        />
        {isUnbound && (
          <Banner tone="warn" title={words.noHosts}>
            {words.noHostsHelp}
          </Banner>
        )}
        <FailureNote failure={failure} />
        {variable && <Uses queryKey={['variables', variable.id]} load={() => client.variables.listUses(variable.id)} />}
      </form>
    </Dialog>
  );
}
