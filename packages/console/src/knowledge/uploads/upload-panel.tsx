import { X } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { changeFile, dropFile, hideSettled, useAddedFiles } from './added-files.ts';
import { forgetBroken, listBroken } from './broken-uploads.ts';
import { StageBar, sayStage } from './stage-bar.tsx';
import { useAddFiles } from './use-add-files.ts';
import { type AddedRow, useAddedRows } from './use-added-runs.ts';

const words = documentTexts.add;
const mostRows = 12;

/** What is being added, each with its five stages. It follows by itself and is the same after a reload. */
export function UploadPanel({ kbId }: { kbId: string }) {
  const rows = useAddedRows(kbId);
  const left = rows.filter(({ stage, failure }) => stage !== 'done' && !failure).length;
  const failed = rows.filter(({ failure }) => failure).length;
  // Those that need a look come first, then those under way.
  const order = ({ stage, failure }: AddedRow) => (failure ? 0 : stage === 'done' ? 2 : 1);
  const shown = rows.toSorted((one, other) => order(one) - order(other)).slice(0, mostRows);
  return (
    <>
      {rows.length > 0 && (
        <section aria-label={words.label} className="mx-4 mb-3 rounded-3 border border-line bg-bg px-3.5 pt-2 pb-3">
          <div className="mb-1.5 flex items-center gap-2 text-dense">
            <p role="status" className="font-medium">
              {left > 0 ? words.adding(left, rows.length) : words.added(rows.length - failed, failed)}
            </p>
            <Button look="ghost" size="small" className="ml-auto" onClick={() => hideSettled(kbId)}>
              {words.hide}
            </Button>
          </div>
          <ul className="flex flex-col gap-1.5">
            {shown.map((row) => (
              <PanelRow key={row.key} kbId={kbId} row={row} />
            ))}
            {rows.length > mostRows && (
              <li className="text-caption text-text-3">{words.more(rows.length - mostRows)}</li>
            )}
          </ul>
        </section>
      )}
      <BrokenUploads kbId={kbId} />
    </>
  );
}

function PanelRow({ kbId, row }: { kbId: string; row: AddedRow }) {
  const client = useClient();
  const refresh = useRefreshBase();
  const { send } = useAddFiles(kbId);
  const [busy, setBusy] = useState(false);
  const { name, stage, progress, sent, failure, documentId, file } = row;
  const retry = async () => {
    if (file && !documentId) return send(file);
    if (!documentId) return;
    setBusy(true);
    try {
      await client.documents.bulk(kbId, { action: 'train', document_ids: [documentId] });
      const [run] = (await client.knowledgeBases.listIngestionRuns(kbId, { status: 'queued,running' })).filter(
        (each) => each.document_id === documentId,
      );
      if (file && run) changeFile(file.key, { runId: run.id });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  const state = sent !== undefined ? words.sent(sent) : sayStage(stage);
  return (
    <li className="grid min-h-6.5 grid-cols-[minmax(0,11rem)_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1 text-dense max-phone:grid-cols-[minmax(0,1fr)_auto]">
      <span className="truncate font-medium" title={name}>
        {name}
      </span>
      {failure ? (
        <span className="min-w-0 break-words text-bad max-phone:col-span-2 max-phone:row-start-2">{failure}</span>
      ) : (
        <span className="flex items-center max-phone:col-span-2 max-phone:row-start-2">
          <StageBar name={name} stage={stage} progress={progress} />
        </span>
      )}
      <span className="flex min-w-36 items-center justify-end gap-1 text-caption text-text-2">
        {failure ? (
          <Button size="small" busy={busy} aria-label={documentTexts.tryAgainOf(name)} onClick={() => void retry()}>
            {documentTexts.tryAgain}
          </Button>
        ) : (
          state
        )}
        {file && sent !== undefined && (
          <IconButton label={words.cancel(name)} icon={<X size={13} />} onClick={() => dropFile(file.key)} />
        )}
      </span>
    </li>
  );
}

/** Uploads that the page's closing broke off: with the same file they go on. */
function BrokenUploads({ kbId }: { kbId: string }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const files = useAddedFiles((state) => state.files);
  const [, setForgotten] = useState(0);
  const broken = listBroken(w, kbId).filter(
    ({ name, size }) => !files.some(({ file, runId }) => !runId && file.name === name && file.size === size),
  );
  if (broken.length === 0) return null;
  const forget = (uploadId: string) => {
    forgetBroken(w, kbId, uploadId);
    setForgotten((count) => count + 1);
    // One that has expired is gone already.
    client.uploads.cancel(uploadId).catch(() => {});
  };
  return (
    <ul className="mx-4 mb-3 flex flex-col gap-2">
      {broken.map(({ uploadId, name, sent }) => (
        <li key={uploadId} className="flex items-center gap-3 rounded-3 bg-warn-soft px-3.5 py-2 text-dense">
          <span className="min-w-0 flex-1 break-words">{words.broken(name, sent)}</span>
          <Button size="small" aria-label={`${words.forget}: ${name}`} onClick={() => forget(uploadId)}>
            {words.forget}
          </Button>
        </li>
      ))}
    </ul>
  );
}
