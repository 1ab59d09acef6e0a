import { useState } from 'react';
import { t } from '../../text/en.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { fits, inputsOf, isKeyed, keyFor, nameOf, outputsOf, usualLink } from '../graph/catalogue.ts';
import { outlineOf } from '../graph/walk.ts';
import { useBuild } from './build-context.ts';
import { useEditor, useFlow } from './editor-context.ts';

const words = flowTexts.connect;

interface Chosen {
  other: string;
  output?: string;
  input?: string;
  key?: string;
}

/** Connects a step with another one, by lists: which way, which step, which output and input. */
export function ConnectSteps(props: { from: string; to: string | undefined; onClose: () => void }) {
  const { from: id, to, onClose } = props;
  const { catalogue } = useEditor();
  const { commands } = useBuild();
  const graph = useFlow((state) => state.graph);
  const others = outlineOf(graph)
    .map(({ step }) => step)
    .filter((step) => step.id !== id);
  const [way, setWay] = useState<'to' | 'from'>('to');
  const [chosen, setChosen] = useState<Chosen>({ other: to ?? others[0]?.id ?? '' });
  const [fromId, toId] = way === 'to' ? [id, chosen.other] : [chosen.other, id];
  const source = graph.nodes.find((step) => step.id === fromId);
  const target = graph.nodes.find((step) => step.id === toId);
  const usual = usualLink(graph, catalogue, fromId, toId);
  const outputs = source ? outputsOf(source, catalogue) : [];
  const inputs = target ? inputsOf(target, catalogue) : [];
  const output = outputs.find(({ name }) => name === (chosen.output ?? usual?.from_id.connector_name)) ?? outputs[0];
  const input = inputs.find(({ name }) => name === (chosen.input ?? usual?.to_id.connector_name)) ?? inputs[0];
  const needsKey = input !== undefined && isKeyed(input);
  const key =
    chosen.key ?? (source && input && needsKey ? keyFor(graph, toId, input.name, nameOf(source, catalogue)) : '');
  const fault = output && input && !fits(output, input) ? words.noFit : undefined;
  const isWhole = output && input && !fault && (!needsKey || key.trim() !== '');
  const submit = () => {
    if (!isWhole) return;
    commands.connect({
      from_id: { node_id: fromId, connector_name: output.name },
      to_id: { node_id: toId, connector_name: input.name, ...(needsKey && { key: key.trim() }) },
    });
    onClose();
    commands.land([id]);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(commands.titleOf(id))}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" disabled={!isWhole} onClick={submit}>
            {words.submit}
          </Button>
        </>
      }
    >
      {others.length === 0 ? (
        <p className="text-dense text-text-2">{words.none}</p>
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field label={words.direction} group>
            <Segmented
              label={words.direction}
              value={way}
              options={[
                { value: 'to', label: words.to },
                { value: 'from', label: words.from },
              ]}
              onChange={(next) => {
                setWay(next);
                setChosen({ other: chosen.other });
              }}
            />
          </Field>
          <Field label={words.step}>
            <Select
              data-autofocus
              value={chosen.other}
              options={others.map((step) => ({ value: step.id, label: nameOf(step, catalogue) }))}
              onChange={(other) => setChosen({ other })}
            />
          </Field>
          {outputs.length > 1 && (
            <Field label={words.output}>
              <Select
                value={output?.name ?? ''}
                options={outputs.map(({ name, label }) => ({ value: name, label }))}
                onChange={(name) => setChosen({ ...chosen, output: name })}
              />
            </Field>
          )}
          {inputs.length > 1 && (
            <Field label={words.input} error={fault}>
              <Select
                value={input?.name ?? ''}
                options={inputs.map(({ name, label }) => ({ value: name, label }))}
                onChange={(name) => setChosen({ ...chosen, input: name })}
              />
            </Field>
          )}
          {needsKey && (
            <Field label={words.key} help={words.keyHelp}>
              <TextInput
                value={key}
                maxLength={500}
                onChange={({ target: { value } }) => setChosen({ ...chosen, key: value })}
              />
            </Field>
          )}
          {fault && inputs.length <= 1 && <p className="text-dense text-bad">{fault}</p>}
          <button type="submit" hidden />
        </form>
      )}
    </Dialog>
  );
}
