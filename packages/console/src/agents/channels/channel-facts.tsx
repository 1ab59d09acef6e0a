import { useId } from 'react';
import { readAt } from '../../forms/field-values.ts';
import { fieldsOf } from '../../forms/fields-of.ts';
import type { Form, FormField } from '../../forms/form-types.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { formTexts } from '../../text/forms.ts';
import type { Deployment } from './deployments.ts';

const words = agentTabTexts.channels;

/** A value in words. Of a secret only whether there is one. */
function sayValue(field: FormField, value: unknown): string {
  if (field.write_only) return value ? words.secretStored : words.secretMissing;
  if (typeof value === 'boolean') return value ? formTexts.yes : formTexts.no;
  if (Array.isArray(value)) return value.length ? value.join(', ') : formTexts.none;
  if (value === undefined || value === '') return formTexts.notSet;
  const label = field.options?.find((option) => option.value === value)?.label ?? String(value);
  return field.unit ? `${label} ${field.unit}` : label;
}

/** How a channel is set. */
export function ChannelFacts({ deployment, form }: { deployment: Deployment; form: Form }) {
  const title = useId();
  const fields = fieldsOf(form, deployment.channel, ['channel', 'name', 'enabled']).filter(({ advanced }) => !advanced);
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h3 id={title} className="text-section">
        {words.settings}
      </h3>
      <dl className="grid grid-cols-[minmax(120px,max-content)_minmax(0,1fr)] gap-x-6 gap-y-2 text-label max-phone:grid-cols-1">
        {fields.map((field) => (
          <div key={field.key} className="contents">
            <dt className="text-text-2">{field.label}</dt>
            <dd dir="auto" className="min-w-0 break-words whitespace-pre-wrap">
              {sayValue(field, readAt(deployment, field.path))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
