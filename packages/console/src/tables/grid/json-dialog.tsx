import { useState } from 'react';
import { rowTexts } from '../../text/table-rows.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { EditorProps } from './cell-editor.tsx';
import { readCell } from './cell-values.ts';

/** Edits a cell of JSON in a dialog, which has room for it. */
export function JsonDialog({ column, value, typed, onCommit, onLeave }: EditorProps) {
  const [text, setText] = useState(
    typed ?? (value === null || value === undefined ? '' : JSON.stringify(value, null, 2)),
  );
  const [fault, setFault] = useState<string>();
  const save = () => {
    const read = readCell(column, text);
    if ('fault' in read) setFault(rowTexts.faults.json(text.slice(0, 60)));
    else onCommit(read.value, false);
  };
  return (
    <Dialog
      open
      wide
      onClose={onLeave}
      title={rowTexts.jsonTitle(column.label)}
      help={rowTexts.jsonHelp}
      foot={
        <>
          <Button onClick={onLeave}>{ui.cancel}</Button>
          <Button look="primary" onClick={save}>
            {rowTexts.save}
          </Button>
        </>
      }
    >
      <CodeEditor
        label={rowTexts.edit(column.label)}
        language="json"
        value={text}
        onChange={setText}
        onSubmit={save}
        rows={8}
        autoFocus
      />
      {fault && (
        <p role="alert" className="mt-2 text-dense text-bad">
          {fault}
        </p>
      )}
    </Dialog>
  );
}
