import type { AnswerOf } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { describeFailure, type Failure } from '../../api/failures.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { tableTexts } from '../../text/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { ImportReport } from './import-report.tsx';

const words = tableTexts.importIt;
const formats = Object.entries(words.formats).map(([value, label]) => ({ value, label }));
type Report = AnswerOf<'tables.import'>;
const nameOf = (file: File) => file.name.replace(/\.(?:csv|xlsx|tsv|txt)$/i, '').slice(0, 200) || 'Table';

interface ImportProps {
  /** The table that the rows go into; a new one unless given. */
  table?: { id: string; name: string };
  onClose: () => void;
  onDone: (tableId: string) => void;
}

/** Reads a file on trial, shows what would be stored and what does not fit, then imports it. */
export function ImportDialog({ table, onClose, onDone }: ImportProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const [format, setFormat] = useState('');
  const [types, setTypes] = useState<Readonly<Record<string, string>>>({});
  const [report, setReport] = useState<Report>();
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState<'reading' | 'storing'>();

  const send = (chosen: File, trial: boolean, signal?: AbortSignal) => {
    const query = {
      ...{ dry_run: trial, on_error: 'skip' as const, ...(format && { format }) },
      ...(Object.keys(types).length > 0 && { types: JSON.stringify(types) }),
    };
    const options = { timeout: 600_000, maxRetries: 0, ...(signal && { signal }) };
    return table
      ? client.tables.import(table.id, chosen, { query, ...options })
      : client.tables.createFromFile(chosen, {
          query: { ...query, id_type: 'autoincrement', name: name.trim() || nameOf(chosen) },
          ...options,
        });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the trial depends on; the name does not change it.
  useEffect(() => {
    if (!file) return;
    const leaving = new AbortController();
    setBusy('reading');
    setFailure(undefined);
    send(file, true, leaving.signal)
      .then((answer) => {
        setReport(answer);
        setBusy(undefined);
      })
      .catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        setReport(undefined);
        setFailure(describeFailure(error));
        setBusy(undefined);
      });
    return () => leaving.abort();
  }, [file, format, types]);

  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    setReport(undefined);
    setTypes({});
    setName((old) => old || nameOf(chosen));
    setFile(chosen);
  };
  const store = async () => {
    if (!file) return;
    setBusy('storing');
    setFailure(undefined);
    try {
      const { inserted, skipped, table_id } = await send(file, false);
      await Promise.all(['tables', 'rows'].map((kind) => queries.invalidateQueries({ queryKey: [w, kind] })));
      sayToast({ text: words.done(inserted), ...(skipped > 0 && { help: words.skipped(skipped) }) });
      onClose();
      onDone(table_id);
    } catch (error) {
      setFailure(describeFailure(error));
      setBusy(undefined);
    }
  };
  const ready = report && !busy && report.inserted > 0;
  const action =
    !report || report.skipped === 0
      ? words.submit(report?.inserted ?? 0)
      : words.submitWithout(report.inserted, report.skipped);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={table ? words.titleInto(table.name) : words.titleNew}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy === 'storing'} disabled={!ready} onClick={() => void store()}>
            {report ? action : words.action}
          </Button>
        </>
      }
    >
      {/** biome-ignore lint/a11y/noStaticElementInteractions: the field below takes files by the keyboard. */}
      <div
        className="flex flex-col gap-4"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          choose(event.dataTransfer.files[0]);
        }}
      >
        <div className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
          <Field label={words.file} help={words.drop}>
            <TextInput
              type="file"
              accept=".csv,.tsv,.txt,.xlsx,text/csv"
              onChange={({ target }) => choose(target.files?.[0])}
            />
          </Field>
          <Field label={words.format}>
            <Select value={format} options={formats} onChange={setFormat} />
          </Field>
          {!table && file && (
            <Field label={words.name}>
              <TextInput maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
            </Field>
          )}
        </div>
        <p role="status" className="flex items-center gap-2 text-dense text-text-2 empty:hidden">
          {busy && (
            <>
              <Spinner /> {words[busy]}
            </>
          )}
        </p>
        <FailureNote failure={failure} />
        {report && (
          <ImportReport report={report} onType={(column, type) => setTypes((old) => ({ ...old, [column]: type }))} />
        )}
      </div>
    </Dialog>
  );
}
