import type { AnswerOf, BodyOf } from '@atrium/sdk';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useWorkflowActions } from './use-workflow-actions.ts';

const words = workflowTexts.importIt;
type WorkflowFile = BodyOf<'workflows.import'>;

async function readWorkflowFile(file: File): Promise<WorkflowFile | undefined> {
  try {
    const content = JSON.parse(await file.text());
    return content?.format === 'atrium.workflow' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the file of a workflow, and says what of it found no match here. */
export function ImportWorkflow({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const actions = useWorkflowActions();
  const [file, setFile] = useState<WorkflowFile>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<AnswerOf<'workflows.import'>>();
  const choose = async (chosen: File | undefined) => {
    const content = chosen && (await readWorkflowFile(chosen));
    setFile(content);
    setFault(chosen && !content ? words.notAWorkflow : undefined);
  };
  const submit = async () => {
    if (!file) return;
    setBusy(true);
    try {
      const answer = await client.workflows.import(file);
      await actions.refresh();
      setDone(answer);
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={done ? words.done(done.workflow.name) : words.title}
      {...(!done && { help: words.help })}
      foot={
        done ? (
          <Button look="primary" data-autofocus onClick={() => void actions.open(done.workflow.id)}>
            {words.open}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t.ui.cancel}</Button>
            <Button look="primary" busy={busy} disabled={!file} onClick={() => void submit()}>
              {words.submit}
            </Button>
          </>
        )
      }
    >
      {done ? (
        <ImportReport report={done.report} />
      ) : (
        <Field label={words.file} error={fault}>
          <TextInput
            type="file"
            accept="application/json,.json"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </Field>
      )}
    </Dialog>
  );
}

function ImportReport({ report }: { report: AnswerOf<'workflows.import'>['report'] }) {
  const missing = report.missing.map(({ name, id, kind }) => `${kind.replaceAll('_', ' ')}: ${name ?? id}`);
  const secrets = report.secrets.map(({ path }) => path.join('.'));
  const parts = [
    [words.missing, missing],
    [words.variables, report.variables],
    [words.secrets, secrets],
  ] as const;
  const isWhole = parts.every(([, lines]) => lines.length === 0);
  return (
    <div className="flex flex-col gap-3 text-dense">
      {isWhole && <p className="text-text-2">{words.whole}</p>}
      {report.errors.length > 0 && <p className="text-warn">{words.errors(report.errors.length)}</p>}
      {parts
        .filter(([, lines]) => lines.length > 0)
        .map(([title, lines]) => (
          <div key={title}>
            <p className="font-medium">{title}</p>
            <ul className="list-disc pl-5 text-text-2">
              {lines.map((line) => (
                <li key={line} className="break-all">
                  {line}
                </li>
              ))}
            </ul>
          </div>
        ))}
    </div>
  );
}
