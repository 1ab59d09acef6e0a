import { create } from 'zustand';

interface Editing {
  /** Which message is being edited. */
  key: string | undefined;
  /** What had the focus before. */
  from?: Element | null;
  /** The message whose editing was left as it was. */
  left?: string | undefined;
}

export const useEditing = create<Editing>(() => ({ key: undefined }));

export const beginEditing = (key: string) =>
  useEditing.setState({ key, from: document.activeElement, left: undefined });

/** Leaves the message as it was; the focus goes back to where it was. */
export function leaveEditing(): void {
  const { key, from } = useEditing.getState();
  useEditing.setState({ key: undefined, from: null, left: key });
  if (from instanceof HTMLElement && from.isConnected) from.focus();
}
