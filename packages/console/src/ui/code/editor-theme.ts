import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const look = EditorView.theme({
  '&': {
    ...{ color: 'var(--text)', backgroundColor: 'var(--surface)', border: '1px solid var(--control)' },
    ...{ borderRadius: '6px', fontSize: '12.5px' },
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '&.cm-read-only': { backgroundColor: 'var(--sunken)' },
  '&.cm-broken': { borderColor: 'var(--bad)' },
  '.cm-scroller': {
    ...{ fontFamily: 'var(--font-mono)', lineHeight: '19px', overflow: 'auto' },
    ...{ minHeight: 'var(--editor-least)', maxHeight: 'var(--editor-most)' },
  },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-content ::selection, .cm-line::selection': { backgroundColor: 'var(--accent-line)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent-line)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px dotted var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--warn)' },
  '.cm-tooltip': {
    ...{ color: 'var(--text)', backgroundColor: 'var(--surface)', border: '1px solid var(--line)' },
    ...{ borderRadius: '10px', boxShadow: 'var(--shadow-2)', overflow: 'hidden', zIndex: '60' },
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12.5px',
    maxHeight: 'none',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '19px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', backgroundColor: 'var(--accent-soft)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', fontFamily: 'var(--font-sans)', fontSize: '13px' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font-sans)', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
});

/** The same colours as blocks of code in answers. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--c3)' },
  { tag: [tags.typeName, tags.standard(tags.name), tags.function(tags.variableName)], color: 'var(--c4)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--c5)' },
  { tag: [tags.number, tags.bool, tags.null, tags.literal], color: 'var(--c6)' },
  { tag: [tags.propertyName, tags.special(tags.name), tags.special(tags.variableName)], color: 'var(--c1)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--text-3)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export const editorTheme = [look, syntaxHighlighting(colours)];
