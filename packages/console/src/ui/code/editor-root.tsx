import { closeCompletion, completionStatus } from '@codemirror/autocomplete';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { EditorView, placeholder } from '@codemirror/view';
import { getNonce } from 'get-nonce';
import { useEffect, useImperativeHandle, useRef } from 'react';
import { useFieldIds } from '../field.tsx';
import { editorKeys } from './editor-keys.ts';
import { editorTheme } from './editor-theme.ts';
import type { CodeEditorProps } from './editor-types.ts';
import { loadLanguage } from './languages.ts';
import { replaceSelected } from './replace-selected.ts';
import { completionSource, lintSource } from './sources.ts';

/** Marks a change that came from the page, not from the person. */
const fromPage = Annotation.define<boolean>();

/** The editor itself, on CodeMirror. */
export function EditorRoot(props: Omit<CodeEditorProps, 'rows' | 'maxRows'>) {
  const { label, value, language, schema, readOnly = false, singleLine = false, autoFocus, ref } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const parts = useRef({ language: new Compartment(), access: new Compartment(), names: new Compartment() });
  const { id, ...described } = useFieldIds();
  const names = EditorView.contentAttributes.of({
    'aria-label': label,
    ...(id && { id }),
    ...(described['aria-describedby'] && { 'aria-describedby': described['aria-describedby'] }),
    ...(described['aria-invalid'] && { 'aria-invalid': 'true' }),
    ...(singleLine && { 'aria-multiline': 'false' }),
  });
  const access = [
    EditorState.readOnly.of(readOnly),
    EditorView.editorAttributes.of({
      class: `${readOnly ? 'cm-read-only' : ''} ${described['aria-invalid'] ? 'cm-broken' : ''}`.trim(),
    }),
    ...(readOnly ? [EditorView.contentAttributes.of({ 'aria-readonly': 'true' })] : []),
  ];

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for the life of the field; later values come below.
  useEffect(() => {
    const submit = () => {
      latest.current.onSubmit?.();
      return latest.current.onSubmit !== undefined;
    };
    const editor = new EditorView({
      parent: place.current as HTMLElement,
      doc: value,
      extensions: [
        EditorView.cspNonce.of(getNonce() ?? ''),
        ...[editorTheme, editorKeys(singleLine, submit), replaceSelected],
        ...[parts.current.language.of([]), parts.current.access.of(access), parts.current.names.of(names)],
        EditorState.languageData.of(() => [{ autocomplete: completionSource(latest) }]),
        ...(props.lint ? [lintSource(latest)] : []),
        ...(props.placeholder ? [placeholder(props.placeholder)] : []),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && !transactions.some((transaction) => transaction.annotation(fromPage)))
            latest.current.onChange?.(state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    if (autoFocus) editor.focus();
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    const current = editor?.state.doc.toString();
    if (!editor || current === value) return;
    editor.dispatch({ changes: { from: 0, to: current?.length ?? 0, insert: value }, annotations: fromPage.of(true) });
  }, [value]);

  useEffect(() => {
    let gone = false;
    void loadLanguage(language, schema).then((loaded) => {
      if (!gone) view.current?.dispatch({ effects: parts.current.language.reconfigure(loaded) });
    });
    return () => {
      gone = true;
    };
  }, [language, schema]);

  const state = [label, id, readOnly, ...Object.values(described)].join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the attributes are made of.
  useEffect(() => {
    const { names: namesPart, access: accessPart } = parts.current;
    view.current?.dispatch({ effects: [namesPart.reconfigure(names), accessPart.reconfigure(access)] });
  }, [state]);

  useEffect(() => keepLayerOpen(place.current, () => view.current), []);

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    insert: (text) => {
      view.current?.dispatch(view.current.state.replaceSelection(text));
      view.current?.focus();
    },
  }));
  return <div ref={place} />;
}

/** Escape closes an open list of completions, not the dialog around it, which hears of the key first. */
function keepLayerOpen(place: HTMLElement | null, view: () => EditorView | undefined): () => void {
  const onKey = (event: KeyboardEvent) => {
    const editor = view();
    if (event.key !== 'Escape' || !editor || !place?.contains(document.activeElement)) return;
    if (completionStatus(editor.state) === null) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    closeCompletion(editor);
  };
  window.addEventListener('keydown', onKey, { capture: true });
  return () => window.removeEventListener('keydown', onKey, { capture: true });
}
