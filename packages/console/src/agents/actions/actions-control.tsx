import { Globe, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { asBox, asList, asText } from '../../forms/controls/control-props.ts';
import { placeOf } from '../../forms/field-values.ts';
import type { FormField } from '../../forms/form-types.ts';
import { plainFault } from '../../lib/plain-fault.ts';
import { actionTexts } from '../../text/agent-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { Entry } from './try-action.tsx';

const newAction: Entry = { name: '', method: 'GET', url: '' };

interface ActionsControlProps {
  field: FormField;
  value: unknown;
  disabled: boolean;
}

/** The actions of an agent, one a line; each opens as a form. */
export function ActionsControl({ field, value, disabled }: ActionsControlProps) {
  const { store } = useEditor();
  const { agent } = useDraft();
  const [opened, setOpened] = useState<number>();
  const actions = asList(value).map(asBox);
  const change = (next: readonly Entry[]) => store.change(field, next);
  const replaced = (index: number, action: Entry) =>
    index === actions.length ? [...actions, action] : actions.map((old, other) => (other === index ? action : old));

  /** Saves at once, so that what the server finds wrong is shown while the form is open; then the draft is as it was. */
  async function save(index: number, action: Entry): Promise<Readonly<Record<string, string>>> {
    change(replaced(index, action));
    await store.flush();
    const { faults, faultPaths } = store.get();
    const text = faults.get(placeOf(field));
    if (text === undefined) return {};
    const [place, ...path] = faultPaths.get(placeOf(field)) ?? [];
    change(actions);
    return { [place === String(index) ? path.join('.') || 'name' : 'name']: plainFault(text) };
  }

  return (
    <div className="flex flex-col gap-2.5">
      {actions.length > 0 ? (
        <ul className="divide-y divide-line rounded-3 border border-line">
          {actions.map((action, index) => {
            const name = asText(action['name']) || actionTexts.unnamed;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an action keeps its place while it is edited.
              <li key={index} className="flex items-center gap-3 px-3.5 py-2.5">
                <span className="grid size-7.5 flex-none place-items-center rounded-2 bg-sunken text-text-2">
                  <Globe size={16} aria-hidden />
                </span>
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2 font-medium break-words">
                    {name}
                    {action['requires_approval'] === true && <Chip tone="warn">{actionTexts.asksFirst}</Chip>}
                    {action['enabled'] === false && <Chip>{actionTexts.off}</Chip>}
                  </p>
                  <p className="truncate font-mono text-code text-text-2">
                    {asText(action['method']) || 'GET'} {asText(action['url'])}
                  </p>
                </div>
                {!disabled && (
                  <>
                    <IconButton
                      label={actionTexts.edit(name)}
                      icon={<Pencil size={15} />}
                      onClick={() => setOpened(index)}
                    />
                    <IconButton
                      label={actionTexts.remove(name)}
                      icon={<Trash2 size={15} />}
                      onClick={() => change(actions.filter((_, other) => other !== index))}
                    />
                    <Switch
                      label={name}
                      checked={action['enabled'] !== false}
                      onChange={(on) => {
                        const { enabled: _, ...rest } = action;
                        change(replaced(index, on ? rest : { ...rest, enabled: false }));
                      }}
                    />
                  </>
                )}
              </li>
            );
          })}
        </ul>
      ) : (
        <p className="text-dense text-text-3">{actionTexts.none}</p>
      )}
      {!disabled && (
        <Button size="small" className="self-start" icon={<Plus size={14} />} onClick={() => setOpened(actions.length)}>
          {actionTexts.add}
        </Button>
      )}
      {opened !== undefined && (
        <ActionDialog
          agent_id={agent.id}
          fields={field.fields ?? []}
          action={actions[opened] ?? newAction}
          isNew={opened === actions.length}
          taken={actions.flatMap(({ name }, index) => (index === opened ? [] : asText(name)))}
          onSave={(action) => save(opened, action)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}
