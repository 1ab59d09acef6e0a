import { useQuery } from '@tanstack/react-query';
import { ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { formTexts } from '../../text/forms.ts';
import { Combobox, type ComboOption } from '../../ui/combobox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { asList, asText, type ControlProps } from './control-props.ts';

/** The models and presets that agents can use. */
function useModels(): ComboOption[] {
  const client = useClient();
  const { id } = useWorkspace();
  const { data: models = [] } = useQuery({ queryKey: [id, 'models'], queryFn: () => client.models.list() });
  const { data: presets = [] } = useQuery({ queryKey: [id, 'presets'], queryFn: () => client.presets.list() });
  return [
    ...presets.map(({ name, models: stands }) => ({
      value: `preset:${name}`,
      label: `preset:${name}`,
      help: stands.join(', '),
    })),
    ...models.map(({ name }) => ({ value: name, label: name })),
  ];
}

/** Models in the order in which they are tried. */
export function ModelListControl({ field, value, onChange, disabled }: ControlProps) {
  const [typed, setTyped] = useState('');
  const chosen = asList(value).map(asText);
  const known = useModels();
  const words = typed.toLowerCase();
  const offered = known.filter(({ value: name }) => !chosen.includes(name) && name.toLowerCase().includes(words));
  const swap = (index: number) =>
    onChange(chosen.map((name, at) => (at === index ? chosen[index - 1] : at === index - 1 ? chosen[index] : name)));
  return (
    <div className="flex max-w-140 flex-col gap-2">
      <ol className="divide-y divide-line rounded-3 border border-line">
        {chosen.map((name, index) => (
          <li key={name} className="flex min-h-10 items-center gap-1 py-1 pr-1 pl-3">
            <span className="num mr-2 text-caption text-text-3">{index + 1}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-code">{name}</span>
            {!disabled && index > 0 && (
              <IconButton label={formTexts.moveUp(name)} icon={<ArrowUp size={15} />} onClick={() => swap(index)} />
            )}
            {!disabled && chosen.length > 1 && (
              <IconButton
                label={formTexts.removeEntry(name)}
                icon={<Trash2 size={15} />}
                onClick={() => onChange(chosen.filter((other) => other !== name))}
              />
            )}
          </li>
        ))}
      </ol>
      {!disabled && (
        <Combobox
          label={formTexts.addTo(field.label)}
          query={typed}
          onQuery={setTyped}
          options={offered.slice(0, 30)}
          onChoose={(name) => onChange([...chosen, name])}
          placeholder={formTexts.findIn(formTexts.kinds.model)}
          free
        />
      )}
    </div>
  );
}
