import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** Lines become one: pasted breaks are spaces. */
const keepSingleLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  const insert = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, ' ');
  return [
    { changes: { from: 0, to: transaction.startState.doc.length, insert }, selection: { anchor: insert.length } },
  ];
});

/** The list shows the options around the chosen one and does not scroll, because the focus stays in the text. */
const listOptions = { icons: false, maxRenderedOptions: 12 };

/** Keys of an editor. Tab is left alone: it goes on to the next field. */
export function editorKeys(singleLine: boolean, submit: () => boolean): Extension {
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: submit }])),
    ...[history(), indentOnInput(), bracketMatching(), closeBrackets(), autocompletion(listOptions)],
    keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap]),
    ...(singleLine ? [keymap.of([{ key: 'Enter', run: () => submit() || true }]), keepSingleLine] : []),
    keymap.of(defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')),
    ...(singleLine ? [] : [EditorView.lineWrapping]),
  ];
}
