import { EditorView } from '@codemirror/view';

/**
 * Writes typed text over a selection as a change of the editor. Chromium would put it into the page itself, in an element that
 * repeats the colour of the replaced text as an inline style, which the content policy refuses.
 */
export const replaceSelected = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const { data: text } = event;
    if (event.inputType !== 'insertText' || !text || event.isComposing || view.composing) return false;
    if (view.state.readOnly || !event.cancelable || main.empty || ranges.length > 1) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, text, insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
