import type { AnswerOf } from '@atrium/sdk';
import { useState } from 'react';
import { sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { ValueRows } from './value-view.tsx';

const words = flowTexts.trial;
type Sample = AnswerOf<'stepSamples.list'>['samples'][number];

interface SampleEditorProps {
  title: string;
  sample: Sample | undefined;
  outputs: readonly string[];
  mayEdit: boolean;
  onSave: (outputs: Record<string, unknown>) => Promise<void>;
  onRemove: () => Promise<void>;
}

function readOutputs(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The outputs that are kept for a step: looked at, given, changed, deleted. */
export function SampleEditor({ title, sample, outputs, mayEdit, onSave, onRemove }: SampleEditorProps) {
  const [typed, setTyped] = useState<string>();
  const refused = !mayEdit && workflowTexts.needsEdit;
  const value = typed === undefined ? undefined : readOutputs(typed);
  const begin = () => setTyped(JSON.stringify(sample?.outputs ?? { [outputs[0] ?? 'output']: '' }, null, 2));
  const save = async () => {
    if (!value) return;
    try {
      await onSave(value);
      sayToast({ text: words.saved });
      setTyped(undefined);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-3 bg-bg p-2.5">
      <legend className="sr-only">{title}</legend>
      <div className="flex items-center gap-2 text-dense">
        <span aria-hidden className="min-w-0 flex-1 truncate font-medium">
          {title}
        </span>
        <span className="text-text-3">{sample ? words.since(sayTime(sample.saved_at)) : words.missing}</span>
      </div>
      {typed === undefined ? (
        <>
          {sample && <ValueRows label={title} values={sample.outputs} />}
          <div className="flex gap-2">
            <Button
              size="small"
              refused={refused}
              aria-label={`${sample ? words.edit : words.give}: ${title}`}
              onClick={begin}
            >
              {sample ? words.edit : words.give}
            </Button>
            {sample && (
              <Button
                size="small"
                look="danger"
                refused={refused}
                aria-label={`${words.remove}: ${title}`}
                onClick={() => void onRemove()}
              >
                {words.remove}
              </Button>
            )}
          </div>
        </>
      ) : (
        <>
          <CodeEditor label={`${title}: ${words.outputs}`} language="json" value={typed} rows={4} onChange={setTyped} />
          {!value && <p className="text-dense text-bad">{words.json}</p>}
          <div className="flex gap-2">
            <Button size="small" look="primary" disabled={!value} onClick={() => void save()}>
              {t.ui.save}
            </Button>
            <Button size="small" onClick={() => setTyped(undefined)}>
              {t.ui.cancel}
            </Button>
          </div>
        </>
      )}
    </fieldset>
  );
}
