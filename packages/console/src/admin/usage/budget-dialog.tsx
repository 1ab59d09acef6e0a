import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { currentTimeZone } from '../../lib/time.ts';
import { usageTexts as words } from '../../text/admin/usage.ts';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useMembers } from '../shared/queries.ts';
import { useRefresh } from '../shared/use-admin.ts';
import type { Budget } from './budgets.tsx';

type Scope = keyof typeof words.scopes;
const order: readonly Scope[] = ['workspace', 'organization', 'agent', 'key', 'person'];

/** What a budget can be set for, of the chosen kind. */
function useSubjects(scope: Scope): Option[] {
  const client = useClient();
  const { id } = useWorkspace();
  const members = useMembers(scope === 'person' ? id : '').data;
  const agents = useQuery({
    queryKey: [id, 'agents', 'budgets'],
    queryFn: () => client.agents.list({ view: 'summary', size: 100 }),
    enabled: scope === 'agent',
  }).data;
  const keys = useQuery({
    queryKey: [id, 'keys', 'budgets'],
    queryFn: () => client.keys.list(id),
    enabled: scope === 'key',
  }).data;
  if (scope === 'agent') return (agents?.items ?? []).map((agent) => ({ value: agent.id, label: agent.name }));
  if (scope === 'key') return (keys ?? []).map((key) => ({ value: key.id, label: key.name }));
  if (scope === 'person') return (members ?? []).map((member) => ({ value: member.person_id, label: member.name }));
  return [];
}

/** The subject as the request names it. */
function subjectBody(scope: Scope, subject: string, workspace: string) {
  if (scope === 'workspace') return { group_id: workspace };
  if (scope === 'agent') return { agent_id: subject };
  if (scope === 'key') return { key_id: subject };
  return scope === 'person' ? { person_id: subject, group_id: workspace } : {};
}

/** A budget, new or changed. Subject and period of a budget stay. */
export function BudgetDialog({ budget, onClose }: { budget?: Budget; onClose: () => void }) {
  const client = useClient();
  const { id } = useWorkspace();
  const isOrganization = useMay()('org:admin');
  const { refresh } = useRefresh('budgets');
  const [name, setName] = useState(budget?.name ?? '');
  const [scope, setScope] = useState<Scope>('workspace');
  const [subject, setSubject] = useState('');
  const [cost, setCost] = useState(budget?.max_cost?.toString() ?? '');
  const [tokens, setTokens] = useState(budget?.max_tokens?.toString() ?? '');
  const [period, setPeriod] = useState<'day' | 'month'>('month');
  const [warnAt, setWarnAt] = useState(String(budget?.warn_at ?? 80));
  const subjects = useSubjects(scope);
  const needsSubject = !budget && (scope === 'agent' || scope === 'key' || scope === 'person');
  const send = async () => {
    const limits = {
      ...{ name: name.trim(), warn_at: Number(warnAt) },
      ...(cost && { max_cost: Number(cost) }),
      ...(tokens && { max_tokens: Number(tokens) }),
    };
    if (budget) await client.budgets.update(budget.id, limits, { ifMatch: budget.etag });
    else {
      const subjectFields = subjectBody(scope, subject, id);
      await client.budgets.create({ ...limits, ...subjectFields, period, time_zone: currentTimeZone() });
      sayToast({ text: words.made });
    }
    await refresh();
  };
  return (
    <FormDialog
      title={budget ? words.editTitle(budget.name) : words.make}
      help={budget ? undefined : words.zone(currentTimeZone())}
      action={budget ? words.save : words.submit}
      onClose={onClose}
      check={() => ({
        name: !name.trim() && words.needName,
        subject: needsSubject && !subject && words.needWhich,
        max_cost: !cost && !tokens && words.needAmount,
      })}
      send={send}
    >
      {(faultOf) => (
        <>
          <Field label={words.name} error={faultOf('name')}>
            <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          {!budget && (
            <div className="grid gap-4 phone:grid-cols-2">
              <Field label={words.scope}>
                <Select
                  value={scope}
                  options={order
                    .filter((value) => value !== 'organization' || isOrganization)
                    .map((value) => ({ value, label: words.scopes[value] }))}
                  onChange={(value) => {
                    setScope(value as Scope);
                    setSubject('');
                  }}
                />
              </Field>
              {needsSubject && (
                <Field label={words.which} error={faultOf('subject')}>
                  <Select value={subject} empty="" options={subjects} onChange={setSubject} />
                </Field>
              )}
            </div>
          )}
          <div className="grid gap-4 phone:grid-cols-2">
            <Field label={words.cost} error={faultOf('max_cost')}>
              <TextInput inputMode="decimal" value={cost} onChange={({ target }) => setCost(target.value)} />
            </Field>
            <Field label={words.tokens} error={faultOf('max_tokens')}>
              <TextInput inputMode="numeric" value={tokens} onChange={({ target }) => setTokens(target.value)} />
            </Field>
            {!budget && (
              <Field label={words.period} group>
                <Segmented
                  label={words.period}
                  value={period}
                  options={(['day', 'month'] as const).map((value) => ({ value, label: words.periods[value] }))}
                  onChange={setPeriod}
                />
              </Field>
            )}
            <Field label={words.warnAt} help={words.warnHelp} error={faultOf('warn_at')}>
              <TextInput inputMode="numeric" value={warnAt} onChange={({ target }) => setWarnAt(target.value)} />
            </Field>
          </div>
        </>
      )}
    </FormDialog>
  );
}
