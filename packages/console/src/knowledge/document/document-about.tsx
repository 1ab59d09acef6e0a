import { useState } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { sayExactTime } from '../../lib/time.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { cleanPath, type KbDocument, sayFolder } from '../queries.ts';
import { RightsEditor } from './rights-editor.tsx';

const words = documentTexts.one;

/** What is known of a document, its name and folder, and who sees it. */
export function DocumentAbout({ item }: { item: KbDocument }) {
  const client = useClient();
  const base = useBase();
  const mayEdit = useMay()('kbs_edit');
  const refresh = useRefreshBase();
  const [name, setName] = useState(item.name);
  const [prefix, setPrefix] = useState(sayFolder(item.prefix));
  const isChanged = name.trim() !== item.name || cleanPath(prefix) !== cleanPath(item.prefix);
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    const body = { name: name.trim(), prefix: cleanPath(prefix) };
    await client.documents.update(base.id, item.id, body, { ifMatch: item.etag });
    await refresh();
    sayToast({ text: words.moved });
  });
  const url = item.m_source_metadata?.['url'];
  const facts: [string, string | null | undefined][] = [
    [words.source, typeof url === 'string' ? url : item.doc_type],
    [words.language, item.language],
    [words.size, sayBytes(item.size)],
    [words.changed, sayExactTime(item.updated_at)],
  ];
  return (
    <div className="flex flex-col gap-5">
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <Field label={words.name} error={faultOf('name')}>
          <TextInput
            value={name}
            maxLength={1000}
            readOnly={!mayEdit}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={words.folder} error={faultOf('prefix')}>
          <TextInput
            value={prefix}
            maxLength={1000}
            readOnly={!mayEdit}
            onChange={({ target }) => setPrefix(target.value)}
          />
        </Field>
        <FailureNote failure={failure} />
        <Button
          type="submit"
          className="self-start"
          busy={busy}
          disabled={!isChanged || !name.trim()}
          refused={!mayEdit && baseTexts.needsEdit}
        >
          {words.saveAbout}
        </Button>
      </form>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-dense">
        {facts.map(([label, value]) =>
          value ? (
            <div key={label} className="contents">
              <dt className="text-text-3">{label}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {item.notes.length > 0 && (
        <div className="text-dense">
          <h3 className="font-medium">{words.notes}</h3>
          <ul className="list-disc pl-5 text-text-2">
            {item.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
      {item.summary && (
        <div className="text-dense">
          <h3 className="font-medium">{words.summary}</h3>
          <p className="text-text-2">{item.summary}</p>
        </div>
      )}
      <RightsEditor
        key={JSON.stringify(item.visible_to)}
        value={item.visible_to}
        disabled={!mayEdit}
        onSave={async (visible_to) => {
          await client.documents.update(base.id, item.id, { visible_to }, { ifMatch: item.etag });
          await refresh();
        }}
      />
    </div>
  );
}
