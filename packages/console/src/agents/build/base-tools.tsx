import { Settings2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { placeOf, readAt, sameValue } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { ToolIcon } from './tool-icon.tsx';

const ToolOptions = lazyPart(() => import('./tool-options.tsx').then(({ ToolOptions }) => ({ default: ToolOptions })));
const words = agentTexts.build;

/** The built-in tools, each with its switch, its options, and whether it asks a person. */
export function BaseTools() {
  const { tools } = useEditor();
  return (
    <ul className="divide-y divide-line rounded-3 border border-line">
      {tools.variants.map(({ variant, label, help }) => (
        <ToolRow key={variant} type={variant} label={label} help={help} />
      ))}
    </ul>
  );
}

function ToolRow({ type, label, help }: { type: string; label: string; help: string }) {
  const { tools, store, live, mayEdit } = useEditor();
  const { values, published, faults } = useDraft();
  const [open, setOpen] = useState(false);
  const fields = tools.fields.filter(({ variant }) => variant === type);
  const read = (key: string) => readAt(values, ['definition', 'base_tools', type, key]);
  const enabled = fields.find(({ key }) => key === 'enabled') as FormField;
  const rules = read('approval_rules');
  const ruleCount = Array.isArray(rules) ? rules.length : 0;
  const differs = fields.some((field) => !sameValue(field, readAt(published, field.path), readAt(values, field.path)));
  const faulty = fields.filter((field) => faults.has(placeOf(field))).length;
  const shownName = String(read('title') ?? label);
  return (
    <li data-place={`definition.base_tools.${type}.enabled`} className="flex items-center gap-3 px-3.5 py-2.5">
      <span className="grid size-7.5 flex-none place-items-center rounded-2 bg-sunken text-text-2">
        <ToolIcon type={type} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {shownName}
          {differs && (
            <span role="img" aria-label={formTexts.differs(live)} className="size-1.75 rounded-full bg-accent" />
          )}
          {read('requires_approval') === true && <Chip tone="warn">{words.asksFirst}</Chip>}
          {ruleCount > 0 && <Chip tone="warn">{words.asksByRule(ruleCount)}</Chip>}
          {faulty > 0 && <Chip tone="bad">{formTexts.faultCount(faulty)}</Chip>}
        </p>
        <p className="text-dense text-text-2">{help}</p>
      </div>
      <IconButton label={words.toolOptions(shownName)} icon={<Settings2 size={16} />} onClick={() => setOpen(true)} />
      <Switch
        label={shownName}
        checked={read('enabled') === true}
        disabled={!mayEdit}
        // Undo names the tool, not "On".
        onChange={(on) => store.change({ ...enabled, label: shownName }, on)}
      />
      <Suspense>{open && <ToolOptions fields={fields} name={shownName} onClose={() => setOpen(false)} />}</Suspense>
    </li>
  );
}
