import { AtriumError } from '@atrium/sdk';
import { useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import type { Passage } from '../queries.ts';

const words = documentTexts.one;

interface PassageDialogProps {
  documentId: string;
  passage: Passage | undefined;
  onClose: () => void;
}

/** Edits a passage, or adds one. A change that another person made meanwhile is shown, not overwritten. */
export function PassageDialog({ documentId, passage, onClose }: PassageDialogProps) {
  const client = useClient();
  const base = useBase();
  const refresh = useRefreshBase();
  const formId = useId();
  const [content, setContent] = useState(passage?.content ?? '');
  const [theirs, setTheirs] = useState<Passage>();
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    if (!passage) await client.passages.create(base.id, documentId, { content: content.trim() });
    else {
      const ifMatch = (theirs ?? passage).etag;
      try {
        await client.passages.update(base.id, passage.id, { content: content.trim() }, { ifMatch });
      } catch (error) {
        if (!(error instanceof AtriumError) || error.code !== 'etag_mismatch') throw error;
        const near = await client.knowledgeBases.listChunks(base.id, { around: passage.id, size: 1 });
        setTheirs(near.items.find(({ id }) => id === passage.id));
        return;
      }
    }
    await refresh();
    onClose();
  });
  const place = (passage?.position ?? 0) + 1;
  const original = passage?.original ?? null;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={passage ? words.editTitle(place) : words.addTitle}
      help={passage ? words.editHelp : words.addHelp}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!content.trim()}>
            {theirs ? words.saveMine : passage ? t.ui.save : words.addPassage}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {theirs && (
          <Banner tone="warn" title={words.conflict}>
            <p className="font-medium">{words.theirs}</p>
            <p className="whitespace-pre-wrap">{theirs.content}</p>
          </Banner>
        )}
        <Field label={words.text} error={faultOf('content')}>
          <TextArea
            data-autofocus
            maxRows={18}
            maxLength={100_000}
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        </Field>
        {original !== null && (
          <details className="text-dense">
            <summary className="cursor-pointer font-medium">{words.original}</summary>
            <p className="mt-2 whitespace-pre-wrap text-text-2">{original}</p>
            <Button size="small" className="mt-2" onClick={() => setContent(original)}>
              {words.takeOriginal}
            </Button>
          </details>
        )}
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
