import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Catalogue } from '../graph/graph-types.ts';
import type { RunStore } from '../run/run-store.ts';
import type { WorkflowState, WorkflowStore } from './workflow-store.ts';

/** What the pages of one workflow share. */
export interface Editor {
  store: WorkflowStore;
  runStore: RunStore;
  catalogue: Catalogue;
  mayEdit: boolean;
  mayRun: boolean;
}
export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('There is no workflow here');
  return editor;
}

/** A part of the workflow's state; the page is drawn again when it changes. */
export const useFlow = <T>(select: (state: WorkflowState) => T): T => useStore(useEditor().store, select);
