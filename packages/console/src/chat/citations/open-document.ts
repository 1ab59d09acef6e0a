import { create } from 'zustand';

/** A place in a document of a knowledge base. */
export interface DocumentPlace {
  kb_id: string;
  document_id: string;
  start: number;
  end: number;
  title: string;
  /** The words that were cited; the passage may hold more. */
  quote?: string | undefined;
}

export const useOpenDocument = create<{ place: DocumentPlace | undefined }>(() => ({ place: undefined }));
let opener: Element | null = null;

export function openDocument(place: DocumentPlace): void {
  opener = document.activeElement;
  useOpenDocument.setState({ place });
}

/** Closes it and gives the focus back to the citation: a dialog without a button of its own does not know it. */
export function closeDocument(): void {
  useOpenDocument.setState({ place: undefined });
  setTimeout(() => opener instanceof HTMLElement && opener.focus());
}
