import type { AnswerOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { ArrowUp, X } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { modelTexts as words } from '../../text/admin/models.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useRefresh } from '../shared/use-admin.ts';

type Preset = AnswerOf<'presets.get'>;

export function PresetDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const client = useClient();
  const { id } = useWorkspace();
  const preset = useQuery({ queryKey: [id, 'presets', name], queryFn: () => client.presets.get(name) });
  if (preset.data) return <PresetForm preset={preset.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={words.presetTitle(name)}>
      <Loaded query={preset}>{() => null}</Loaded>
    </Dialog>
  );
}

function PresetForm({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const client = useClient();
  const { id } = useWorkspace();
  const { act, refresh } = useRefresh('presets');
  const [chosen, setChosen] = useState<readonly string[]>(preset.models);
  const [query, setQuery] = useState('');
  const models = useQuery({ queryKey: [id, 'models', 'llm'], queryFn: () => client.models.list() });
  const fitting = (models.data ?? []).filter(
    (model) => !chosen.includes(model.name) && model.name.toLowerCase().includes(query.toLowerCase()),
  );
  const moveUp = (at: number) =>
    setChosen((old) => [...old.slice(0, at - 1), old[at] ?? '', old[at - 1] ?? '', ...old.slice(at + 1)]);
  return (
    <FormDialog
      title={words.presetTitle(preset.label)}
      help={words.presetHelp}
      action={words.change1}
      onClose={onClose}
      check={() => ({ models: chosen.length === 0 && words.needModel })}
      send={async () => {
        await client.presets.set(preset.name, { models: [...chosen] });
        await refresh();
      }}
    >
      {(faultOf) => (
        <>
          <Field label={words.addModel} error={faultOf('models')}>
            <Combobox
              label={words.addModel}
              query={query}
              onQuery={setQuery}
              options={fitting.slice(0, 20).map((model) => ({ value: model.name, label: model.name }))}
              onChoose={(model) => setChosen((old) => [...old, model])}
            />
          </Field>
          <ol className="divide-y divide-line rounded-3 border border-line empty:hidden">
            {chosen.map((model, at) => (
              <li key={model} className="flex items-center gap-2 py-1 pr-1 pl-3">
                <span className="min-w-0 flex-1 font-mono text-code wrap-anywhere">{model}</span>
                {at > 0 && (
                  <IconButton label={words.up(model)} icon={<ArrowUp size={15} />} onClick={() => moveUp(at)} />
                )}
                <IconButton
                  label={words.takeOut(model)}
                  icon={<X size={15} />}
                  onClick={() => setChosen((old) => old.filter((one) => one !== model))}
                />
              </li>
            ))}
          </ol>
          {preset.overridden && (
            <Button
              className="self-start"
              onClick={() =>
                void act(async () => {
                  await client.presets.reset(preset.name);
                  onClose();
                }, words.presetSaved)
              }
            >
              {words.reset}
            </Button>
          )}
        </>
      )}
    </FormDialog>
  );
}
