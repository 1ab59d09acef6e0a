import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Form } from '../../forms/form-types.ts';
import type { DraftState } from './draft-state.ts';
import type { DraftStore } from './draft-store.ts';

/** What the pages of one agent share. */
export interface Editor {
  store: DraftStore;
  form: Form;
  tools: Form;
  /** The published version, such as "v12", and the one after all there are. */
  live: string;
  next: string;
  mayEdit: boolean;
}
export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('There is no agent here');
  return editor;
}

/** The state of the draft; the page is drawn again when it changes. */
export function useDraft(): DraftState {
  const { store } = useEditor();
  return useSyncExternalStore(store.subscribe, store.get);
}
